import { API_VERSION } from "../../contract/changelog.ts";
import { createStore } from "./store.ts";

const STORED_AS = "changelog-seen";

/** Whether the changelog was opened in this browser since the newest version of the API. */
const seen = createStore(true, () => {
  try {
    return localStorage.getItem(STORED_AS) === API_VERSION;
  } catch {
    return true;
  }
});

/** Remembers that the changelog was opened. */
export function rememberChangelog(): void {
  try {
    localStorage.setItem(STORED_AS, API_VERSION);
  } catch {
    // Storage is blocked: there is no dot either.
  }
  seen.set(true);
}

/** Whether the changelog has something that wasn't opened yet. */
export function useHasNews(): boolean {
  return !seen.use();
}
