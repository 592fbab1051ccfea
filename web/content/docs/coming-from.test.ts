import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { VerificationResult, VerifyRequest } from "../../../contract/verification.ts";
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
});
