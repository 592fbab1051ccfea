import { API_VERSION } from "../../../contract/origin.ts";
import { API_VERSION_DATE } from "../../content/changelog.ts";
import { createKeptStore } from "../../lib/store.ts";

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

/**
 * Whether the changelog has something that wasn't opened yet.
 * @param since when the account was created, as a timestamp: nothing older is news to it
 */
export function useHasNews(since: string | undefined): boolean {
  const isSeen = seen.use() === API_VERSION;
  return !isSeen && since !== undefined && since < API_VERSION_DATE;
}
