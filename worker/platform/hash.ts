import { Buffer } from "node:buffer";
import { createHash, createHmac, hkdfSync } from "node:crypto";

/** SHA-256 of a text, in hex. For random secrets, which need no salt or slow hash. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** A secret's key for one purpose (HKDF-SHA-256, RFC 5869): 64 hex digits. Keys for other purposes don't reveal it. */
export function subkey(secret: string, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", `checkline ${purpose}`, 32)).toString("hex");
}

/** HMAC-SHA-256 of a text: 32 bytes. */
export function mac(secret: string, text: string): Buffer {
  return createHmac("sha256", secret).update(text).digest();
}

/** Identifies a list of texts without revealing them: 160 bits of an HMAC-SHA-256, as 40 hex digits. */
export function keyedHash(secret: string, ...parts: readonly string[]): string {
  return mac(secret, JSON.stringify(parts)).toString("hex").slice(0, 40);
}
