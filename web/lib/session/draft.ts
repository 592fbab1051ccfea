import { useState } from "react";
import { BULK_DATABASE } from "./kept-check.ts";

/** What is half written, in this page's memory only. It outlives a session that expired, and not one that was ended on purpose. */
const drafts = new Map<string, string>();
const forgetters = new Set<() => void>();
let owner: string | null = null;

/** Forgets all drafts, and the bulk check that the browser keeps: somebody logged out, and the next to log in may be another. */
export function forgetDrafts(): void {
  drafts.clear();
  try {
    globalThis.indexedDB?.deleteDatabase(BULK_DATABASE);
  } catch {
    // Storage is closed.
  }
  for (const forget of forgetters) forget();
}

/** Has something that is no text forgotten together with the drafts. */
export function onForgetDrafts(forget: () => void): void {
  forgetters.add(forget);
}

/** Says whose drafts these are from now on. Another account than before finds none. */
export function claimDrafts(account: string): void {
  if (owner !== null && owner !== account) forgetDrafts();
  owner = account;
}

/**
 * A text that is still there when its form comes back, for example after logging in again.
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
