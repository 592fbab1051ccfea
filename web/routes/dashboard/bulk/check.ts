import { useSyncExternalStore } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import { callBatch } from "./call-batch.ts";
import type { NumberList } from "./read-list.ts";
import { createRun, isActive, isResumable } from "./run.ts";
import type { Run, Snapshot } from "./run.ts";

/** A list and the run over it. */
export interface Check {
  readonly list: NumberList;
  readonly mode: KeyMode;
  readonly run: Run;
}

/**
 * In this page's memory only, beside the drafts: a session that expires in the middle takes nothing away, and signing out takes all
 * of it. Its key is within the run.
 */
const current = createStore<Check | null>(null);

/** Ends the check, if there is one, and forgets its results and its key. */
export function discardCheck(): void {
  current.get()?.run.cancel();
  // Not set(null): React may be rendering the page of another account.
  current.reset();
}

onForgetDrafts(discardCheck);

let holders = 0;

/** When the session expired, the check waits for its owner. A user who left on purpose has confirmed it. */
function releaseCheck(): void {
  if (holders > 0) return;
  if (readToken() === null) current.get()?.run.pause();
  else discardCheck();
}

/** Keeps the check as long as its page is there; to be called by an effect. Returns what ends it. */
export function holdCheck(): () => void {
  holders += 1;
  return () => {
    holders -= 1;
    // Not at once: in development effects end and begin again.
    setTimeout(releaseCheck);
  };
}

/** The check that is under way or done; null before there is one. */
export function useCheck(): Check | null {
  return current.use();
}

/** The current state of a run. */
export function useSnapshot(run: Run): Snapshot {
  return useSyncExternalStore(run.subscribe, run.snapshot, run.snapshot);
}

/** Where a check keeps its key, and how long. */
export const KEY_HINT =
  "Kept in this page’s memory, even if your session expires, until you leave the check or log out. Sent to the API only.";

/** Waits on the browser's clock; rejects when the signal is aborted. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    function stop() {
      clearTimeout(timer);
      reject(new Error("Ended"));
    }
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
}

/** Begins to check a list. */
export function beginCheck(input: { list: NumberList; country: string; key: string; mode: KeyMode }): void {
  const { list, country, key, mode } = input;
  const run = createRun(
    { numbers: list.distinct, country: country || undefined, key, id: crypto.randomUUID() },
    { send: (call, signal) => callBatch(call, signal), now: () => Date.now(), sleep },
  );
  current.set({ list, mode, run });
  run.start();
}

/** Whether something would be lost with it: numbers that are not checked yet. */
export function isUnfinished({ phase }: Pick<Snapshot, "phase">): boolean {
  return isActive(phase) || isResumable(phase);
}
