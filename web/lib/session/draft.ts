import { useState } from "react";
import { BULK_DATABASE } from "./kept-check.ts";

/** Drafts, in memory only. They survive an expired session, but not one that was ended on purpose. */
const drafts = new Map<string, string>();
const forgetters = new Set<() => void>();
let owner: string | null = null;

/** Deletes all drafts, and the bulk check stored in the browser: after a logout, the next user may be someone else. */
export function forgetDrafts(): void {
  drafts.clear();
  try {
    globalThis.indexedDB?.deleteDatabase(BULK_DATABASE);
  } catch {
    // Storage is blocked.
  }
  for (const forget of forgetters) forget();
}

/** Whether a new document would lose a draft. */
export function hasDrafts(): boolean {
  return drafts.size > 0;
}

/** Registers cleanup of non-text data to run with `forgetDrafts`. */
export function onForgetDrafts(forget: () => void): void {
  forgetters.add(forget);
}

/** Assigns the drafts to an account. Another account than before gets none. */
export function claimDrafts(account: string): void {
  if (owner !== null && owner !== account) forgetDrafts();
  owner = account;
}

/**
 * A text that survives its form being unmounted, for example while logging in again.
 * @param name of the form's field, for example `api-key.name`
 */
export function useDraft(name: string): [text: string, write: (text: string) => void] {
  const [text, setText] = useState(() => drafts.get(name) ?? "");
  function write(next: string): void {
    if (next === "") drafts.delete(name);
    else drafts.set(name, next);
    setText(next);
  }
  return [text, write];
}
