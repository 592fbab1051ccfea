import { useSyncExternalStore } from "react";
import { CONDITIONS } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { accountOf, readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import type { Store } from "../../../lib/store.ts";
import { callBatch } from "./call-batch.ts";
import { closeDesk, desk } from "./desk-client.ts";
import type { Work } from "./desk.ts";
import { createRun } from "./run.ts";
import type { Run } from "./run.ts";
import type { Counts } from "./view.ts";

interface Progress {
  /** Of its rows. */
  readonly counts: Counts;
  /** Whether it survives a reload. */
  readonly isKept: boolean;
  /** How many numbers had their result when all rows were downloaded. */
  readonly saved: number;
}

/** A list that is being checked or has been. */
export interface Check {
  readonly work: Work;
  readonly run: Run;
  readonly progress: Store<Progress>;
  /** Deletes what the browser keeps of it. What is on the page stays. */
  forget(): Promise<void>;
}

/** In this page's memory, beside the drafts: a session that expires takes nothing away, and logging out takes all of it. */
const current = createStore<Check | null>(null);

/** Ends the check, if there is one, and forgets its results. */
export function discardCheck(): void {
  current.get()?.run.cancel();
  closeDesk();
  // Not set(null): React may be rendering the page of another account.
  current.reset();
}

onForgetDrafts(discardCheck);

/** The check that is under way or done; null before there is one. */
export function useCheck(): Check | null {
  return current.use();
}

/** The current state of a run. */
export function useSnapshot(run: Run) {
  return useSyncExternalStore(run.subscribe, run.snapshot, run.snapshot);
}

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

function checkOf(work: Work): Check {
  const progress = createStore<Progress>({ counts: work.counts, isKept: work.isKept, saved: 0 });
  const { numbers, checked, country, condition, id } = work;
  const run = createRun(
    { numbers, checked, country: country || undefined, conditions: CONDITIONS[condition].conditions, id },
    {
      send: callBatch,
      async record(results) {
        progress.set({ ...progress.get(), ...(await desk.record(results)) });
      },
      now: () => Date.now(),
      sleep,
    },
  );
  return {
    work,
    run,
    progress,
    async forget() {
      await desk.forget();
      progress.set({ ...progress.get(), isKept: false });
    },
  };
}

/** Begins to check what the desk has open. @throws Unusable */
export async function beginCheck(country: string, condition: Condition): Promise<void> {
  const account = accountOf(readToken() ?? "");
  const work = await desk.begin({ id: crypto.randomUUID(), account, country, condition, startedAt: Date.now() });
  const check = checkOf(work);
  current.set(check);
  check.run.start();
}

/** Looks for the check that a reload interrupted. */
export async function restoreCheck(): Promise<void> {
  if (current.get() !== null) return;
  const work = await desk.restore(accountOf(readToken() ?? ""), Date.now()).catch(() => null);
  // Another may have begun meanwhile.
  if (work !== null && current.get() === null) current.set(checkOf(work));
}

/** Ends the check and deletes what the browser keeps of it. */
export async function deleteCheck(): Promise<void> {
  await current.get()?.forget();
  discardCheck();
}
