import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

/** Codes of authenticator apps as all of them know: TOTP (RFC 6238) with SHA-1, six digits and periods of 30 seconds. */
const PERIOD_MS = 30_000;
const DIGITS = 6;

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Bytes in base32 (RFC 4648) without padding: five bits a character. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

/** What an app takes from a QR code. */
export function appAddress(secret: Uint8Array, email: string): string {
  const label = `Checkline:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?issuer=Checkline&secret=${base32(secret)}&algorithm=SHA1&digits=${DIGITS}&period=${PERIOD_MS / 1000}`;
}

/** The code of a period, counted from the Unix epoch (HOTP, RFC 4226, 5.3). */
export function codeOf(secret: Uint8Array, period: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(period));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * The period whose code this is, null for none that counts now: the present one, or the one before or after it, because clocks may be
 * off by so much.
 * @param code six digits, or anything else that somebody sent
 * @param now milliseconds since the Unix epoch
 */
export function periodOf(secret: Uint8Array, code: string, now: number): number | null {
  const present = Math.floor(now / PERIOD_MS);
  const sent = Buffer.from(code);
  const found = [present, present - 1, present + 1].find((period) => {
    const expected = Buffer.from(codeOf(secret, period));
    return sent.length === expected.length && timingSafeEqual(sent, expected);
  });
  return found ?? null;
}
