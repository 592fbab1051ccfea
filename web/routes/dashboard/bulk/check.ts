import { useSyncExternalStore } from "react";
import { conditionsOf } from "../../../lib/acceptance.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { accountOf, readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import type { Store } from "../../../lib/store.ts";
import { BULK_DATABASE } from "../../../lib/session/kept-check.ts";
import { callBatch } from "./call-batch.ts";
import { Unusable } from "./unusable.ts";
import { closeWorkspace, workspace } from "./workspace-client.ts";
import type { CheckChoices } from "./store.ts";
import type { Work } from "./workspace.ts";
import { createRun } from "./run.ts";
import type { Run } from "./run.ts";
import type { Counts } from "./view.ts";

interface Progress {
  /** By row. */
  readonly counts: Counts;
  /** Whether it survives a reload. */
  readonly isKept: boolean;
  /** How many numbers had a result when all rows were downloaded. */
  readonly saved: number;
}

/** A list's check, running or finished. */
export interface Check {
  readonly work: Work;
  readonly run: Run;
  readonly progress: Store<Progress>;
  /** Deletes the browser's copy. What is on the page stays. */
  forget(): Promise<void>;
}

/** In memory, with the drafts: survives an expired session, and is deleted by logging out. */
const current = createStore<Check | null>(null);

/** The browser's lock for the stored check. Released with its tab. */
const LOCK = BULK_DATABASE;

/** Releases the lock; null if another tab has it. */
type Claim = (() => void) | null;

let claim: Promise<Claim> | null = null;

/** Takes the lock, unless another tab has it: two tabs adding results to one check would mix them up. */
function takeLock(): Promise<Claim> {
  return new Promise((resolve, reject) => {
    const held = navigator.locks.request(LOCK, { ifAvailable: true }, (lock) =>
      lock === null ? resolve(null) : new Promise<void>((free) => resolve(free)),
    );
    held.catch(reject);
  });
}

/** Whether this tab owns the stored check. */
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

/** Ends the check, if there is one, and deletes its results. */
export function discardCheck(): void {
  current.get()?.run.cancel();
  release();
  closeWorkspace();
  // Not set(null): React may be rendering the page of another account.
  current.reset();
}

onForgetDrafts(discardCheck);

/** The running or finished check; null before there is one. */
export function useCheck(): Check | null {
  return current.use();
}

/** The current state of a run. */
export function useSnapshot(run: Run) {
  return useSyncExternalStore(run.subscribe, run.snapshot, run.snapshot);
}

/** Waits on the browser's clock; rejects when the signal is aborted. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

function checkOf(work: Work): Check {
  const progress = createStore<Progress>({ counts: work.counts, isKept: work.isKept, saved: 0 });
  const { numbers, checked, condition, id } = work;
  const run = createRun(
    { numbers, checked, conditions: conditionsOf(condition), id },
    {
      send: callBatch,
      async record(results) {
        progress.set({ ...progress.get(), ...(await workspace.record(results)) });
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
      await workspace.forget();
      release();
    },
  };
}

/** Starts checking what the workspace has open. @throws Unusable */
export async function beginCheck(choices: CheckChoices): Promise<void> {
  if (!(await isOurs())) throw new Unusable("Another tab is verifying a list. Continue there, or close that tab.");
  const account = accountOf(readToken() ?? "");
  try {
    const work = await workspace.begin({ id: crypto.randomUUID(), account, startedAt: Date.now(), ...choices });
    const check = checkOf(work);
    current.set(check);
    check.run.start();
  } catch (error) {
    release();
    throw error;
  }
}

/** Looks for a check interrupted by a reload. Returns false if another tab has it. */
export async function restoreCheck(): Promise<boolean> {
  if (current.get() !== null) return true;
  if (!(await isOurs())) return false;
  const work = await workspace.restore(accountOf(readToken() ?? ""), Date.now()).catch(() => null);
  // Another may have started in the meantime.
  if (work !== null && current.get() === null) current.set(checkOf(work));
  if (current.get() === null) release();
  return true;
}

/** Ends the check and deletes the browser's copy. */
export async function deleteCheck(): Promise<void> {
  await current.get()?.forget();
  discardCheck();
}
