import { readStored, writeStored } from "./stored.ts";

/**
 * A random text that identifies this browser when a verification link is opened in it. The API gets its SHA-256 with
 * each registration, and the nonce itself with the link, so that an email alone confirms no one else's registration.
 */

const STORED_AS = "registrationNonce";

/** Null if there is none, or storage is blocked. */
export function readNonce(): string | null {
  return readStored(STORED_AS);
}

function makeNonce(): string | null {
  const nonce = crypto.randomUUID() + crypto.randomUUID();
  return writeStored(STORED_AS, nonce) ? nonce : null;
}

/**
 * What a registration sends for the nonce, which is created once and reused: its SHA-256 in hex; nothing if it can't be
 * stored.
 */
export async function makeVerifier(): Promise<{ readonly verifier?: string }> {
  const nonce = readNonce() ?? makeNonce();
  if (nonce === null) return {};
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(nonce));
  return { verifier: Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("") };
}
