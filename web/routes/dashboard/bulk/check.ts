import { useSyncExternalStore } from "react";
import { CONDITIONS } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { accountOf, readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import type { Store } from "../../../lib/store.ts";
import { BULK_DATABASE } from "../../../lib/session/kept-check.ts";
import { callBatch } from "./call-batch.ts";
import { Unusable } from "./cells.ts";
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

/** The browser's lock for the check that it keeps. It ends with its tab. */
const LOCK = BULK_DATABASE;

/** Lets another tab have the lock; null where another has it. */
type Claim = (() => void) | null;

let claim: Promise<Claim> | null = null;

/** Takes the lock, unless another tab has it: two that add results to one check would mix them up. */
function takeLock(): Promise<Claim> {
  // Old browsers have no locks.
  if (navigator.locks === undefined) return Promise.resolve(() => {});
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(LOCK, { ifAvailable: true }, (lock) =>
      lock === null ? resolve(null) : new Promise<void>((free) => resolve(free)),
    );
    held.catch(reject);
  });
}

/** Whether the check that the browser keeps is this tab's. */
async function isOurs(): Promise<boolean> {
  claim ??= takeLock();
  if ((await claim) !== null) return true;
  claim = null;
  return false;
}

function release(): void {
  void claim?.then((free) => free?.());
  claim = null;
}

/** Resolves when no other tab has the check; rejects when the signal is aborted. */
export async function othersDone(signal: AbortSignal): Promise<void> {
  await navigator.locks.request(LOCK, { signal }, () => {});
}

/** Ends the check, if there is one, and forgets its results. */
export function discardCheck(): void {
  current.get()?.run.cancel();
  release();
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
      progress.set({ ...progress.get(), isKept: false });
      await desk.forget();
      release();
    },
  };
}

/** Begins to check what the desk has open. @throws Unusable */
export async function beginCheck(country: string, condition: Condition): Promise<void> {
  if (!(await isOurs())) throw new Unusable("Another tab is checking a list. Continue there, or close that tab.");
  const account = accountOf(readToken() ?? "");
  try {
    const work = await desk.begin({ id: crypto.randomUUID(), account, country, condition, startedAt: Date.now() });
    const check = checkOf(work);
    current.set(check);
    check.run.start();
  } catch (error) {
    release();
    throw error;
  }
}

/** Looks for the check that a reload interrupted. Returns false where another tab has it. */
export async function restoreCheck(): Promise<boolean> {
  if (current.get() !== null) return true;
  if (!(await isOurs())) return false;
  const work = await desk.restore(accountOf(readToken() ?? ""), Date.now()).catch(() => null);
  // Another may have begun meanwhile.
  if (work !== null && current.get() === null) current.set(checkOf(work));
  if (current.get() === null) release();
  return true;
}

/** Ends the check and deletes what the browser keeps of it. */
export async function deleteCheck(): Promise<void> {
  await current.get()?.forget();
  discardCheck();
}
