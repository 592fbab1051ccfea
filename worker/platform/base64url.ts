import { Buffer } from "node:buffer";

/** A text or bytes in base64url (RFC 4648), without padding. */
export function base64url(data: string | Uint8Array): string {
  return Buffer.from(data as Uint8Array).toString("base64url");
}

/** Whether this is how `base64url` writes some bytes: decoders also read padding, other alphabets, and junk. */
export function isBase64url(text: string): boolean {
  return Buffer.from(text, "base64url").toString("base64url") === text;
}
