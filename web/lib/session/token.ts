import { useSyncExternalStore } from "react";

/**
 * The session token, in the browser's local storage. Every tab reads the same one, so signing out in one signs out all of them.
 */

const STORED_AS = "authToken";

const listeners = new Set<() => void>();
/** Used where the browser keeps storage closed: the session then lasts for this page. */
let inMemory: string | null = null;
let followed = false;
let refusedHere = false;

/** @param refused whether the token is gone because the server has refused it, which this tab alone knows */
function announce(refused = false): void {
  refusedHere = refused;
  for (const listener of listeners) listener();
}

/** The token, or null when nobody is logged in. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return inMemory;
  }
}

/** Logs in, or continues a session under a new token. */
export function storeToken(token: string): void {
  inMemory = token;
  try {
    localStorage.setItem(STORED_AS, token);
  } catch {
    // Storage is closed.
  }
  announce();
}

/** Signs out. With a token, only if it is still the one: a late refusal must not end a session that began after it. */
export function dropToken(refused?: string): void {
  if (refused !== undefined && readToken() !== refused) return;
  inMemory = null;
  try {
    localStorage.removeItem(STORED_AS);
  } catch {
    // Storage is closed.
  }
  announce(refused !== undefined);
}

/** Whether the last session ended here, by a refusal of its token: nobody has asked for that. */
export function wasRefused(): boolean {
  return refusedHere;
}

/** A null key says that all of the storage was cleared. */
function onStorage({ key }: StorageEvent): void {
  if (key === STORED_AS || key === null) announce();
}

/** Calls the listener whenever the token has changed, here or in another tab. */
function onTokenChange(listener: () => void): () => void {
  // Once and for good: sign-outs elsewhere count too while no page here asks.
  if (!followed) {
    window.addEventListener("storage", onStorage);
    // A page from the back/forward cache has missed all events.
    window.addEventListener("pageshow", ({ persisted }) => persisted && announce());
  }
  followed = true;
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session token; null when nobody is logged in, undefined in prerendered HTML, which cannot know. */
export function useSessionToken(): string | null | undefined {
  return useSyncExternalStore<string | null | undefined>(onTokenChange, readToken, () => undefined);
}

/** What a session token says, unchecked; the token itself where it cannot be read. */
function claimOf(token: string, claim: "sub" | "sid"): string {
  try {
    const payload = token.split(".")[1] ?? "";
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const value = (claims as Readonly<Record<string, unknown>> | null)?.[claim];
    if (typeof value === "string") return value;
  } catch {
    // No token of ours.
  }
  return token;
}

/** Which account a session token speaks for, as far as the page may know: it tells a new token of the same account from another account's. */
export function accountOf(token: string): string {
  return claimOf(token, "sub");
}

/** Whether this browser is still logged in with the session of a token, be it under another token of that session. */
export function continues(token: string): boolean {
  const current = readToken();
  return current !== null && claimOf(current, "sid") === claimOf(token, "sid");
}

const underWay = new Set<Promise<unknown>>();
/** What tabs hold while a new token is on its way. Old browsers have no locks, and then each tab knows only its renewals. */
const RENEWAL = "session-renewal";

/** Notes that a new token is on its way, until it has been stored or is not going to come. */
export function noteRenewal(renewal: Promise<unknown>): void {
  underWay.add(renewal);
  const end = () => underWay.delete(renewal);
  const ended = renewal.then(end, end);
  void navigator.locks?.request(RENEWAL, { mode: "shared" }, () => ended);
}

/** Waits for new tokens that are on their way, in any tab: a refusal of the old one means nothing until they are here. */
export async function renewalsEnded(): Promise<void> {
  await Promise.allSettled(underWay);
  await navigator.locks?.request(RENEWAL, () => {});
}
