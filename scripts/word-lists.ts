// Writes the worker's lists of words, from the pinned packages that have them: node scripts/word-lists.ts
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import { disposableEmailBlocklist } from "disposable-email-domains-js";
import { MIN_PASSWORD_LENGTH } from "../contract/limits.ts";

/** How many of the most common passwords are rejected; the dictionary is in order of frequency. */
const REJECTED = 10_000;

/** The generated files, with a word per line, by their paths. */
export function wordLists(): Map<string, string> {
  const passwords = dictionary["passwords-common"].map(String).slice(0, REJECTED);
  const lists = [
    // Shorter ones can't be chosen anyway.
    ["contract/common-passwords.txt", passwords.filter((password) => [...password].length >= MIN_PASSWORD_LENGTH)],
    ["worker/subscriptions/disposable-domains.txt", disposableEmailBlocklist()],
  ] as const;
  return new Map(
    lists.map(([path, words]) => [
      path,
      words
        .toSorted()
        .map((word) => `${word}\n`)
        .join(""),
    ]),
  );
}

if (import.meta.main) {
  for (const [path, text] of wordLists()) writeFileSync(join(import.meta.dirname, "..", path), text);
}
