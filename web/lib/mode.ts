import { useSyncExternalStore } from "react";
import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { forgetWithDrafts } from "./session/draft.ts";

const STORED_AS = "mode";
const DEFAULT_MODE: KeyMode = "test";
const listeners = new Set<() => void>();
let chosen: KeyMode | null = null;

function stored(): KeyMode {
  try {
    const value = sessionStorage.getItem(STORED_AS);
    return KEY_MODES.find((mode) => mode === value) ?? DEFAULT_MODE;
  } catch {
    return DEFAULT_MODE;
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function announce(): void {
  for (const listener of listeners) listener();
}

/** The next to sign in begins with the test side, which costs nothing. */
forgetWithDrafts(() => {
  chosen = null;
  try {
    sessionStorage.removeItem(STORED_AS);
  } catch {
    // Storage is closed, and nothing is in it.
  }
  // Drafts are also forgotten while React renders the next account.
  queueMicrotask(announce);
});

/** Shows the test or the live side of the account: keys, figures, reports. Kept for this tab, so that each may show another. */
export function chooseMode(mode: KeyMode): void {
  chosen = mode;
  try {
    sessionStorage.setItem(STORED_AS, mode);
  } catch {
    // Storage is closed: the choice lasts for this page.
  }
  announce();
}

/** The mode that the dashboard shows. */
export function useMode(): KeyMode {
  return useSyncExternalStore(
    subscribe,
    () => (chosen ??= stored()),
    () => DEFAULT_MODE,
  );
}
