import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { KEY_MODES } from "../../contract/limits.ts";
import { generateKey, hashKey, keyHint, keyMode } from "./key-format.ts";

describe("an API key", () => {
  test.each(KEY_MODES)("for %s has that prefix, 30 random characters, and a checksum", (mode) => {
    const key = generateKey(mode);
    expect(key).toMatch(new RegExp(`^ch_${mode}_[0-9A-Za-z]{36}$`));
    expect(keyMode(key)).toBe(mode);
  });

  test("has the documented checksum: CRC-32 (IEEE) in base 62", () => {
    // 0x6d784e71 according to an independent implementation (Python's zlib.crc32), in base 62 with the digits
    // 0-9A-Za-z.
    const body = "ch_test_000000000000000000000000000000";
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let rest = 0x6d784e71;
    let checksum = "";
    for (let position = 0; position < 6; position++) {
      checksum = digits.charAt(rest % 62) + checksum;
      rest = Math.floor(rest / 62);
    }
    expect(keyMode(body + checksum)).toBe("test");
  });

  test("with any single character changed is invalid", () => {
    const key = generateKey("live");
    fc.assert(
      fc.property(fc.nat(key.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
        fc.pre(key[at] !== character);
        expect(keyMode(key.slice(0, at) + character + key.slice(at + 1))).toBeNull();
      }),
      { numRuns: 2000 },
    );
  });

  test.each(["", "ch_test_", "ch_live_short", " " + generateKey("test"), generateKey("test") + "\n"])(
    "is not %j",
    (text) => {
      expect(keyMode(text)).toBeNull();
    },
  );

  test("is stored as SHA-256 in hex", () => {
    // FIPS 180-2, example B.1.
    expect(hashKey("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  });

  test("is identified by its last four characters", () => {
    expect(keyHint("ch_test_abcdefgh1234")).toBe("1234");
  });

  test("never repeats", () => {
    const keys = new Set(Array.from({ length: 10_000 }, () => generateKey("test")));
    expect(keys.size).toBe(10_000);
  });
});
