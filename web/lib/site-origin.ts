import { ORIGIN } from "../../contract/origin.ts";

/** Where the built site is deployed, for addresses that must be absolute; vite.config.ts puts `PUBLIC_ORIGIN` in. */
export const SITE_ORIGIN: string = import.meta.env?.["PUBLIC_ORIGIN"] ?? ORIGIN;
