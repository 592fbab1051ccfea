// Writes the worker's lists of words, from the pinned packages that have them: node scripts/word-lists.ts
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { dictionary } from "@zxcvbn-ts/language-common";
import { disposableEmailBlocklist } from "disposable-email-domains-js";
import { parse } from "tldts";
import emailProviders from "email-providers/all.json" with { type: "json" };
import { MIN_PASSWORD_LENGTH } from "../contract/limits.ts";

/** How many of the most common passwords are rejected; the dictionary is in order of frequency. */
const REJECTED = 10_000;

/** Email providers that the list lacks. */
const MORE_PROVIDERS =
  "a1.net chello.at duck.com fastmail.com hispeed.ch live.se posteo.de riseup.net startmail.com telia.com tuta.com tutanota.com xs4all.nl ziggo.nl";

/** The generated files, with a word per line, by their paths. */
export function wordLists(): Map<string, string> {
  const passwords = dictionary["passwords-common"].map(String).slice(0, REJECTED);
  const disposable = new Set(disposableEmailBlocklist());
  const providers = new Set([...emailProviders, ...MORE_PROVIDERS.split(" ")].map((domain) => domain.toLowerCase()));
  const lists = [
    // Shorter ones can't be chosen anyway.
    ["contract/common-passwords.txt", passwords.filter((password) => [...password].length >= MIN_PASSWORD_LENGTH)],
    ["worker/subscriptions/disposable-domains.txt", [...disposable]],
    // Nor names that someone gives away, such as those under a dynamic DNS service.
    [
      "worker/limits/provider-domains.txt",
      [...providers].filter(
        (domain) => !disposable.has(domain) && parse(domain, { allowPrivateDomains: true }).isPrivate !== true,
      ),
    ],
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
