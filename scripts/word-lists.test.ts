import { readFileSync } from "node:fs";
import { join } from "node:path";
import { disposableEmailBlocklist } from "disposable-email-domains-js";
import { describe, expect, test } from "vitest";
import { COMMON_PASSWORDS } from "../contract/common-passwords.ts";
import { unpackWords } from "../contract/word-list.ts";
import { disposableDomains } from "../worker/subscriptions/trial-claims.ts";
import { commonPasswords, packWords, wordLists } from "./word-lists.ts";

describe("lists of words", () => {
  test("are what the script makes of the installed packages", () => {
    for (const [path, text] of wordLists())
      expect(readFileSync(join(import.meta.dirname, "..", path), "utf8")).toBe(text);
  });

  test("are those of the packages, word for word", () => {
    expect(unpackWords(COMMON_PASSWORDS)).toStrictEqual(commonPasswords().toSorted());
    expect(commonPasswords()).toHaveLength(3_534);
    expect([...disposableDomains()].toSorted()).toStrictEqual(disposableEmailBlocklist().toSorted());
    expect(disposableDomains().size).toBeGreaterThan(8_000);
  });

  test("may have words that begin with others, or have spaces, other letters, or more in common than one letter says", () => {
    const long = "a".repeat(40);
    const words = ["1", "12", "12z", "z", "z z", "é", "éß", long, `${long}b`, `${long}c`];
    expect(unpackWords(packWords(words))).toStrictEqual(words.toSorted());
  });

  test("cannot have words with capital letters", () => {
    expect(() => packWords(["a", "aB"])).toThrow("has a capital letter");
  });
});
