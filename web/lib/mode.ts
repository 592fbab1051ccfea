import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { onForgetDrafts } from "./session/draft.ts";
import { createKeptStore } from "./store.ts";
import { writeStored } from "./stored.ts";

const STORED_AS = "mode";
const DEFAULT_MODE: KeyMode = "test";

const store = createKeptStore({
  key: STORED_AS,
  prerendered: DEFAULT_MODE,
  parse: (text) => KEY_MODES.find((mode) => mode === text) ?? DEFAULT_MODE,
  format: String,
  storage: "sessionStorage",
});

/** The next login starts in test mode, which costs nothing. */
onForgetDrafts(() => {
  writeStored(STORED_AS, null, "sessionStorage");
  store.reset();
});

/** Shows the account's test or live mode: keys, figures, reports. Kept per tab, so that each can show another. */
export const chooseMode = store.set;

/** The mode that the dashboard shows. */
export const useMode = store.use;
