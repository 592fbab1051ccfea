import type { Settings } from "../../worker/platform/config.ts";
import { TEST_SETTINGS } from "../worker.ts";

export const OLD = TEST_SETTINGS.SESSION_SECRET;
export const NEW = "the secret that replaces the other one";

/** The settings before a rotation, while the next secret is set, and when it has taken the place of the first. */
export const BEFORE: Settings = { SESSION_SECRET: OLD };
export const DURING: Settings = { SESSION_SECRET: OLD, SESSION_SECRET_NEXT: NEW };
export const AFTER: Settings = { SESSION_SECRET: NEW };
