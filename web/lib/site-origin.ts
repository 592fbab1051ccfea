import { ORIGIN } from "../../contract/origin.ts";

/** The built site's origin, for addresses that must be absolute; vite.config.ts sets it to `PUBLIC_ORIGIN`. */
export const SITE_ORIGIN: string = import.meta.env?.["PUBLIC_ORIGIN"] ?? ORIGIN;
