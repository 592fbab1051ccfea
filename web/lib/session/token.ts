/**
 * The session token, in the browser's local storage. Every tab reads the same one, so signing out in one signs out all of them.
 */

export const STORED_AS = "authToken";

const listeners = new Set<() => void>();
/** Stands in where the browser keeps storage closed: the session then lasts for this page. */
let inMemory: string | null = null;
let followed = false;
let refusedHere = false;

/** @param refused whether the token is gone because the server has refused it, which this tab alone knows */
function announce(refused = false): void {
  refusedHere = refused;
  for (const listener of listeners) listener();
}

/** The token, or null when nobody is signed in. */
export function readToken(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return inMemory;
  }
}

/** Signs in, or carries on a session under a new token. */
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
export function onTokenChange(listener: () => void): () => void {
  // Once and for good: sign-outs elsewhere count too while no page here asks.
  if (!followed) {
    window.addEventListener("storage", onStorage);
    // A page that the browser had put aside was told of nothing meanwhile.
    window.addEventListener("pageshow", ({ persisted }) => persisted && announce());
  }
  followed = true;
  listeners.add(listener);
  return () => listeners.delete(listener);
}
