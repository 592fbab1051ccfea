import { useSyncExternalStore } from "react";

/**
 * The session token, in the browser's local storage. Every tab reads the same one, so logging out in one logs out all
 * of them.
 */

export const STORED_AS = "authToken";

const listeners = new Set<() => void>();
/** Used if storage is blocked: the session then lasts for this page. */
let inMemory: string | null = null;
let followed = false;
let rejectedHere = false;

/** @param rejected whether the server rejected the token, which only this tab knows */
function announce(rejected = false): void {
  rejectedHere = rejected;
  for (const listener of listeners) listener();
}

/** The token, or null when no one is logged in. */
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
    // Storage is blocked.
  }
  announce();
}

/** Logs out. With a token, only if it is still current: a late rejection must not end a newer session. */
export function dropToken(rejected?: string): void {
  if (rejected !== undefined && readToken() !== rejected) return;
  inMemory = null;
  try {
    localStorage.removeItem(STORED_AS);
  } catch {
    // Storage is blocked.
  }
  announce(rejected !== undefined);
}

/** Whether the last session ended here because its token was rejected, not on request. */
export function wasRejected(): boolean {
  return rejectedHere;
}

/** A null key means that all of the storage was cleared. */
function onStorage({ key }: StorageEvent): void {
  if (key === STORED_AS || key === null) announce();
}

/** Calls the listener whenever the token has changed, here or in another tab. */
function onTokenChange(listener: () => void): () => void {
  // Once and permanently: logouts elsewhere count even while no page here listens.
  if (!followed) {
    window.addEventListener("storage", onStorage);
    // A page restored from the back/forward cache has missed all events.
    window.addEventListener("pageshow", ({ persisted }) => persisted && announce());
  }
  followed = true;
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The session token; null when no one is logged in, undefined in prerendered HTML, where it is unknown. */
export function useSessionToken(): string | null | undefined {
  return useSyncExternalStore<string | null | undefined>(onTokenChange, readToken, () => undefined);
}

/** A session token's claim, unchecked; the token itself if it can't be read. */
function claimOf(token: string, claim: "sub" | "sid"): string {
  try {
    const payload = token.split(".")[1] ?? "";
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const value = (claims as Readonly<Record<string, unknown>> | null)?.[claim];
    if (typeof value === "string") return value;
  } catch {
    // Not our token.
  }
  return token;
}

/**
 * Identifies a session token's account, unverified: distinguishes a new token of the same account from another
 * account's.
 */
export function accountOf(token: string): string {
  return claimOf(token, "sub");
}

/** Whether this browser is still logged in with a token's session, possibly under another token. */
export function continues(token: string): boolean {
  const current = readToken();
  return current !== null && claimOf(current, "sid") === claimOf(token, "sid");
}

/** The lock that tabs hold while a new token is pending. Pages over plain HTTP have no locks. */
const RENEWAL = "session-renewal";

/** Records that a new token is pending, until it is stored or has failed. */
export function noteRenewal(renewal: Promise<unknown>): void {
  void navigator.locks?.request(RENEWAL, { mode: "shared" }, () => renewal.catch(() => {}));
}

/** Waits for new tokens pending in any tab: a rejection of the old one is meaningless until then. */
export async function renewalsEnded(): Promise<void> {
  await navigator.locks?.request(RENEWAL, () => {});
}
