import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ERRORS } from "../../../contract/errors.ts";
import { INVALID_REASONS, LINE_TYPES, NUMBER_TYPES } from "../../../contract/result-values.ts";
import { VerificationResult, VerifyRequest } from "../../../contract/verification.ts";
import { DOC_GROUPS } from "./sections.ts";
import type { DocPage } from "./sections.ts";

const PAGES: readonly DocPage[] = DOC_GROUPS.find(({ title }) => title === "Migrate from")!.pages;
const FIELDS = new Set([...Object.keys(VerificationResult.entries), ...Object.keys(VerifyRequest.entries)]);
const VALUES = new Set([
  ...FIELDS,
  ...NUMBER_TYPES,
  ...LINE_TYPES,
  ...INVALID_REASONS,
  ...Object.keys(ERRORS),
  ..."true false null not_checked quota fields Retry-After".split(" "),
]);

/** What each service documents, by the section that says what it becomes. */
const DOCUMENTED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  "from-vonage-number-insight": {
    Values: [
      ..."mobile landline landline_premium landline_tollfree virtual unknown pager".split(" "),
      ..."ported not_ported assumed_not_ported assumed_ported roaming not_roaming".split(" "),
      ..."reachable undeliverable absent bad_number blacklisted business consumer".split(" "),
      ..."valid not_valid inferred inferred_not_valid 0 1 2".split(" "),
    ],
    "Status codes": ["0", "1", "3", "4", "5", "9", "19", "43", "44", "45", "999"],
  },
  "from-twilio-lookup": {
    "Line types": [
      ..."landline mobile fixedVoip nonFixedVoip personal tollFree".split(" "),
      ..."premium sharedCost uan voicemail pager unknown".split(" "),
    ],
    "Invalid numbers": "TOO_SHORT TOO_LONG INVALID_BUT_POSSIBLE INVALID_COUNTRY_CODE INVALID_LENGTH NOT_A_NUMBER".split(
      " ",
    ),
    Errors: "20003 20404 20429 60600 60601 60606 60607 60608 60610 60612 60614 60619".split(" "),
  },
  "from-numverify": {
    "Line types": ["landline", "mobile", "satellite", "premium_rate", "special_services", "toll_free", "paging"],
    Errors: ["101", "102", "103", "104", "105", "106", "210", "211", "310", "404"],
  },
};

function readPage(slug: string): string {
  return readFileSync(join(import.meta.dirname, `${slug}.mdx`), "utf8");
}

/** The rows of the table in a page's section: Checkline's cell, and the cells before it. */
function rowsOf(page: string, heading: RegExp): { theirs: string; ours: string }[] {
  const section = page.split(/^## /m).find((each) => heading.test(each)) ?? "";
  const rows = [...section.matchAll(/^\|(.+)\|$/gm)].map(([, row]) => row!.split("|"));
  const column = rows[0]!.findIndex((head) => head.trim() === "Checkline");
  return rows.slice(2).map((row) => ({ theirs: row.slice(0, column).join(" "), ours: row[column]! }));
}

function codeIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code!.split(": "));
}

describe.each(PAGES)("migrate from $label", ({ slug }) => {
  test("names only fields that Checkline has", () => {
    const rows = rowsOf(readPage(slug), /^(?:Field mapping|Functions and fields)/);
    const named = rows.flatMap(({ ours }) => codeIn(ours));
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !FIELDS.has(name))).toStrictEqual([]);
  });
});

describe.each(
  Object.entries(DOCUMENTED).flatMap(([slug, sections]) =>
    Object.entries(sections).map(([heading, documented]) => ({ slug, heading, documented })),
  ),
)("$slug, $heading", ({ slug, heading, documented }) => {
  const rows = rowsOf(readPage(slug), new RegExp(`^${heading}$`, "m"));

  test("lists every documented value", () => {
    const listed = new Set(rows.flatMap(({ theirs }) => theirs.match(/\w+/g) ?? []));
    expect(documented.filter((value) => !listed.has(value))).toStrictEqual([]);
  });

  test("names only values that Checkline has", () => {
    const named = rows.flatMap(({ ours }) => codeIn(ours));
    expect(named.filter((name) => !VALUES.has(name))).toStrictEqual([]);
  });
});
