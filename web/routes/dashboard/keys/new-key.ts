import type { InferOutput } from "valibot";
import type { CreatedKey } from "../../../../contract/keys.ts";
import { forgetWithDrafts } from "../../../lib/session/draft.ts";
import { readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";

export type NewKey = InferOutput<typeof CreatedKey>;

/**
 * The key to show once; this is the only place that holds it. In this page's memory, beside the drafts: a session that expires while
 * it is shown takes it away for as long as its owner is away, and signing out takes it for good.
 */
const held = createStore<NewKey | null>(null);

/** Keeps a key until it is forgotten. */
export function holdNewKey(key: NewKey): void {
  held.set(key);
}

export function forgetNewKey(): void {
  held.set(null);
}

forgetWithDrafts(held.reset);

let shown = 0;

/** The key is on the screen; to be called by an effect. Returns what ends it: who left the page, and not by a session's end, is done. */
export function showNewKey(): () => void {
  shown += 1;
  return () => {
    shown -= 1;
    // Not at once: in development effects end and begin again.
    setTimeout(() => {
      if (shown === 0 && readToken() !== null) forgetNewKey();
    });
  };
}

/** The key that is to be shown; null when there is none. */
export function useNewKey(): NewKey | null {
  return held.use();
}
