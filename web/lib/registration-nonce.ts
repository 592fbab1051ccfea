/**
 * A random text by which this browser is known again when a verification link is opened in it. The API gets its SHA-256 with each
 * registration, and the nonce itself with the link: an email alone then confirms nobody else's registration.
 */

const STORED_AS = "registrationNonce";

/** Null where none was made, or where the browser keeps storage closed. */
export function readNonce(): string | null {
  try {
    return localStorage.getItem(STORED_AS);
  } catch {
    return null;
  }
}

function makeNonce(): string | null {
  const nonce = crypto.randomUUID() + crypto.randomUUID();
  try {
    localStorage.setItem(STORED_AS, nonce);
  } catch {
    return null;
  }
  return nonce;
}

/** What a registration sends of the nonce, which is made once and used again: its SHA-256 in hex; nothing where it cannot be kept. */
export async function makeVerifier(): Promise<{ readonly verifier?: string }> {
  const nonce = readNonce() ?? makeNonce();
  if (nonce === null) return {};
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(nonce));
  return { verifier: Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("") };
}
