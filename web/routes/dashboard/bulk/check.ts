import { Unusable } from "../../../../lists/unusable.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { BULK_DATABASE } from "../../../lib/session/kept-check.ts";
import { accountOf, readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import type { State, Work } from "./desk.ts";
import { closeDesk, desk, onNews } from "./desk-client.ts";
import type { CheckChoices } from "./store.ts";
import type { Page, View } from "./view.ts";

/** A list's check in the web worker, running or finished. */
export interface Check {
  readonly work: Work;
  readonly state: State;
  /** The page of the results that is shown; null before there is one. */
  readonly page: Page | null;
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

/** Makes the stored check this tab's. @throws Unusable if another tab has it */
async function takeOver(): Promise<void> {
  if (!(await isOurs())) throw new Unusable("Another tab is verifying a list. Continue there, or close that tab.");
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
  release();
  closeDesk();
  // Not set(null): React may be rendering the page of another account.
  current.reset();
}

onForgetDrafts(discardCheck);

/** The running or finished check; null before there is one. */
export function useCheck(): Check | null {
  return current.use();
}

function show(work: Work): void {
  onNews((change) => {
    const check = current.get();
    if (check !== null) current.set({ ...check, ...change });
  });
  current.set({ work, state: work.state, page: null });
}

/** Starts checking what the desk has open. @throws Unusable */
export async function beginCheck(choices: CheckChoices): Promise<void> {
  await takeOver();
  const token = readToken();
  try {
    await desk.session(token);
    const account = accountOf(token ?? "");
    show(await desk.begin({ id: crypto.randomUUID(), account, startedAt: Date.now(), ...choices }));
  } catch (error) {
    release();
    throw error;
  }
}

/** Looks for a check interrupted by a reload. Returns false if another tab has it. */
export async function restoreCheck(): Promise<boolean> {
  if (current.get() !== null) return true;
  if (!(await isOurs())) return false;
  const work = await desk.restore(accountOf(readToken() ?? ""), Date.now()).catch(() => null);
  // Another may have started in the meantime.
  if (work !== null && current.get() === null) show(work);
  if (current.get() === null) release();
  return true;
}

/** Resumes after a pause or a stop. */
export async function resumeCheck(): Promise<void> {
  await desk.session(readToken());
  await desk.start();
}

/** Accepts a row's suggestion, or all, and looks up those that have no result yet. @throws Unusable */
export async function takeSuggestions(place: number | null): Promise<void> {
  await takeOver();
  await desk.session(readToken());
  await desk.take(place);
}

/** Shows a page of the results. */
export function look(view: View, at: number): void {
  void desk.look(view, at).catch(() => {});
}

/** Deletes the browser's copy. What is on the page stays. */
export async function forgetCheck(): Promise<void> {
  await desk.forget();
  release();
}

/** Lets another tab verify a list. Its own takes the place of this one, which stays on the page. */
export { release as releaseCheck };

/** Ends the check and deletes the browser's copy. */
export async function deleteCheck(): Promise<void> {
  await forgetCheck();
  discardCheck();
}
