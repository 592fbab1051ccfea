import { describe, expect, test } from "vitest";
import { claimOf, isDisposable } from "./trial-claims.ts";

const SECRET = "a secret of the trials, long enough to be one";

test("a claim is the same for one mailbox, differs for another or under another secret, and does not reveal the address", () => {
  const claim = claimOf(SECRET, "eve@gmail.com");
  expect(claim).toMatch(/^[0-9a-f]{40}$/);
  expect(claimOf(SECRET, "e.v.e+1@googlemail.com")).toBe(claim);
  expect(claimOf(SECRET, "eva@gmail.com")).not.toBe(claim);
  expect(claimOf(`${SECRET}!`, "eve@gmail.com")).not.toBe(claim);
});

describe("a throwaway domain", () => {
  test.each([
    ["x@mailinator.com", true],
    ["x@MAILINATOR.com", true],
    ["x@anything.mailinator.com", true],
    ["x@guerrillamail.com", true],
    ["x@mailinator.com.example", false],
    ["mailinator.com@example.com", false],
    ["x@gmail.com", false],
    ["x@outlook.com", false],
    ["x@com", false],
  ])("%s: %s", async (email, expected) => {
    expect(await isDisposable(email)).toBe(expected);
  });
});
