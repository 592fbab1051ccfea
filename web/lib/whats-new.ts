import { API_VERSION } from "../../contract/changelog.ts";
import { createStore } from "./store.ts";
import { readStored, writeStored } from "./stored.ts";

const STORED_AS = "changelog-seen";

/** Whether the changelog was opened in this browser since the newest version of the API. */
const seen = createStore(true, () => readStored(STORED_AS) === API_VERSION);

/** Remembers that the changelog was opened. */
export function rememberChangelog(): void {
  writeStored(STORED_AS, API_VERSION);
  seen.set(true);
}

/** Whether the changelog has something that wasn't opened yet. */
export function useHasNews(): boolean {
  return !seen.use();
}
