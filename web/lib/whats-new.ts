import { API_VERSION } from "../../contract/changelog.ts";
import { createKeptStore } from "./store.ts";

/** The version of the API that was the newest when the changelog was last opened in this browser. */
const seen = createKeptStore<string | null>({
  key: "changelog-seen",
  prerendered: API_VERSION,
  parse: (version) => version,
  format: (version) => version,
});

/** Remembers that the changelog was opened. */
export function rememberChangelog(): void {
  seen.set(API_VERSION);
}

/** Whether the changelog has something that wasn't opened yet. */
export function useHasNews(): boolean {
  return seen.use() !== API_VERSION;
}
