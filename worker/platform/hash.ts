import { hkdf } from "@noble/hashes/hkdf.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const ENCODER = new TextEncoder();

/** A text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return ENCODER.encode(text);
}

/** SHA-256 of a text, in hex. For random secrets, which need no salt or slow hash. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8(text)));
}

/** A secret's key for one purpose (HKDF-SHA-256, RFC 5869): 64 hex digits. Keys for other purposes don't reveal it. */
export function subkey(secret: string, purpose: string): string {
  return bytesToHex(hkdf(sha256, utf8(secret), undefined, utf8(`checkline ${purpose}`), 32));
}

/** HMAC-SHA-256 of a text: 32 bytes. */
export function mac(secret: string, text: string): Uint8Array {
  return hmac(sha256, utf8(secret), utf8(text));
}

/** Identifies a list of texts without revealing them: 160 bits of an HMAC-SHA-256, as 40 hex digits. */
export function keyedHash(secret: string, ...parts: readonly string[]): string {
  return bytesToHex(mac(secret, JSON.stringify(parts))).slice(0, 40);
}
