import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { onForgetDrafts } from "./session/draft.ts";
import { createStore } from "./store.ts";

const STORED_AS = "mode";
const DEFAULT_MODE: KeyMode = "test";

function stored(): KeyMode {
  try {
    const value = sessionStorage.getItem(STORED_AS);
    return KEY_MODES.find((mode) => mode === value) ?? DEFAULT_MODE;
  } catch {
    return DEFAULT_MODE;
  }
}

const store = createStore(DEFAULT_MODE, stored);

/** The next login starts in test mode, which costs nothing. */
onForgetDrafts(() => {
  try {
    sessionStorage.removeItem(STORED_AS);
  } catch {
    // Storage is blocked, so nothing is in it.
  }
  store.reset();
});

/** Shows the account's test or live mode: keys, figures, reports. Kept per tab, so that each can show another. */
export function chooseMode(mode: KeyMode): void {
  try {
    sessionStorage.setItem(STORED_AS, mode);
  } catch {
    // Storage is blocked: the selection lasts for this page.
  }
  store.set(mode);
}

/** The mode that the dashboard shows. */
export function useMode(): KeyMode {
  return store.use();
}
