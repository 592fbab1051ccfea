import { deriveSecrets } from "../../worker/platform/config.ts";
import type { Settings } from "../../worker/platform/config.ts";
import { TEST_SETTINGS } from "../worker.ts";

const OLD = TEST_SETTINGS.SESSION_SECRET;
const NEW = "the secret that replaces the other one";

/** The keys derived from each. */
export const OLD_KEYS = deriveSecrets({ current: OLD, retiring: null });
export const NEW_KEYS = deriveSecrets({ current: NEW, retiring: null });

/** The settings before a rotation, while the next secret is set, and after it has replaced the first. */
export const BEFORE: Settings = { SESSION_SECRET: OLD };
export const DURING: Settings = { SESSION_SECRET: OLD, SESSION_SECRET_NEXT: NEW };
export const AFTER: Settings = { SESSION_SECRET: NEW };
