import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { hashToken, tokenFor } from "./email-tokens.ts";

const SECRET = "a session secret of more than 32 characters";

describe("a token", () => {
  test("is 32 bytes in base64url", () => {
    expect(tokenFor(SECRET, "tok_1")).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  test("is the HMAC-SHA256 of its row's id, as computed by another implementation", () => {
    for (let index = 0; index < 50; index++) {
      const expected = createHmac("sha256", SECRET).update(`tok_${index}`).digest("base64url");
      expect(tokenFor(SECRET, `tok_${index}`)).toBe(expected);
    }
  });

  test("differs for another row or another secret", () => {
    const tokens = [tokenFor(SECRET, "tok_1"), tokenFor(SECRET, "tok_2"), tokenFor(`${SECRET}!`, "tok_1")];
    expect(new Set(tokens).size).toBe(3);
  });

  test("is stored as SHA-256 in hex", () => {
    expect(hashToken("abc")).toBe(createHash("sha256").update("abc").digest("hex"));
  });
});
