import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VerificationResult, VerifyRequest } from "../../../contract/verification.ts";
import { ALTERNATIVES, COMPARED_ON } from "../comparison.ts";
import { DOC_GROUPS } from "./sections.ts";
import type { DocPage } from "./sections.ts";

const PAGES: readonly DocPage[] = DOC_GROUPS.find(({ title }) => title === "Migrate from")!.pages;
const FIELDS = new Set([...Object.keys(VerificationResult.entries), ...Object.keys(VerifyRequest.entries)]);

describe.each(PAGES)("migrate from $label", ({ slug }) => {
  const page = readFileSync(join(import.meta.dirname, `${slug}.mdx`), "utf8");

  /** The section below a heading. */
  function section(heading: RegExp): string {
    return page.split(/^## /m).find((each) => heading.test(each)) ?? "";
  }

  test("names only fields that Checkline has", () => {
    const rows = [...section(/^(?:Field mapping|Functions and fields)/).matchAll(/^\|(.+)\|$/gm)].map(([, row]) =>
      row!.split("|"),
    );
    const column = rows[0]!.findIndex((head) => head.trim() === "Checkline");
    const named = rows.slice(2).flatMap((row) => [...row[column]!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !FIELDS.has(name))).toStrictEqual([]);
  });

  test("shows the code before and after, with what it prints", () => {
    const code = section(/^Code before and after/);
    expect(code).toMatch(
      /```js title="Before: [\s\S]+```js title="After: Checkline"[\s\S]+```text title="Output: after"/,
    );
  });

  test("says what Checkline doesn't do, and of each fact where and when it was read", () => {
    expect(section(/^What Checkline doesn't do/).match(/^- \*\*/gm)!.length).toBeGreaterThan(2);
    const sources = section(/^Sources/);
    expect(sources).toMatch(/^Accessed [A-Z][a-z]+ \d{1,2}, 20\d\d/m);
    const facts = sources.split(/^- /m).slice(1);
    expect(facts.length).toBeGreaterThan(1);
    for (const fact of facts) expect(fact).toMatch(/\]\(https:\/\/[^)]+\)/);
  });
});

test("the landing page's comparison has the date of these pages", () => {
  for (const { to } of ALTERNATIVES) {
    const page = readFileSync(join(import.meta.dirname, `${to.split("/").at(-1)!}.mdx`), "utf8");
    expect(page).toContain(`Accessed ${COMPARED_ON}`);
  }
});
