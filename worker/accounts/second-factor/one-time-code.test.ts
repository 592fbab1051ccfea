import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { describe, expect, test } from "vitest";
import { appAddress, base32, codeOf, periodOf } from "./one-time-code.ts";

const RFC_SECRET = Buffer.from("12345678901234567890");

describe("one-time codes", () => {
  // RFC 6238, appendix B: the last six of its eight digits.
  test.each([
    [59, "287082"],
    [1111111109, "081804"],
    [1111111111, "050471"],
    [1234567890, "005924"],
    [2000000000, "279037"],
    [20000000000, "353130"],
  ])("at %i seconds are those of RFC 6238", (seconds, code) => {
    expect(codeOf(RFC_SECRET, Math.floor(seconds / 30))).toBe(code);
    expect(periodOf(RFC_SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
  });

  test("and what an app is given are those of another implementation", () => {
    for (let n = 0; n < 200; n++) {
      const bytes = randomBytes(20);
      const secret = new Secret({ buffer: new Uint8Array(bytes).buffer });
      const email = "ada+x%y@example.com";
      const app = new TOTP({ issuer: "Checkline", label: email, secret });
      const now = Math.floor(Math.random() * 4e12);
      expect(base32(bytes)).toBe(secret.base32);
      expect(appAddress(bytes, email)).toBe(app.toString());
      expect(codeOf(bytes, Math.floor(now / 30_000))).toBe(app.generate({ timestamp: now }));
    }
  });

  test("count a period early and a period late, and no longer", () => {
    const now = 1_800_000_000_000;
    const present = now / 30_000;
    const found = [-2, -1, 0, 1, 2].map((off) => periodOf(RFC_SECRET, codeOf(RFC_SECRET, present + off), now));
    expect(found).toStrictEqual([null, present - 1, present, present + 1, null]);
    expect(periodOf(RFC_SECRET, codeOf(RFC_SECRET, present), now + 59_999)).toBe(present);
    expect(periodOf(RFC_SECRET, codeOf(RFC_SECRET, present), now + 60_000)).toBeNull();
  });

  test("are six digits and nothing else", () => {
    for (const sent of ["", "28708", "2870822", " 287082", "２８７０８２", "28708\0"]) {
      expect(periodOf(RFC_SECRET, sent, 59_000), sent).toBeNull();
    }
  });
});
