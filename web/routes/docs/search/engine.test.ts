import MiniSearch from "minisearch";
import { beforeAll, describe, expect, test } from "vitest";
import { SDKS } from "../../../lib/language.ts";
import { SEARCH_OPTIONS } from "../../../lib/doc-search.ts";
import type { SearchSection } from "../../../lib/doc-search.ts";
import { docFile } from "../../../plugins/docs/files.ts";
import { find } from "./engine.ts";
import type { SearchIndex } from "./engine.ts";
import { snippet } from "./snippet.ts";

let index: SearchIndex;

beforeAll(async () => {
  const text = await docFile("docs/search-index.json", "https://checkline.test");
  index = MiniSearch.loadJSON<SearchSection>(text, SEARCH_OPTIONS);
});

function foundFor(question: string): string[] {
  return find(index, question).map(({ id }) => id);
}

describe("the search finds first", () => {
  test.each<string[]>([
    ["idempotency", "/docs/api-reference#idempotency"],
    ["Rate limits", "/docs/api-reference#rate-limits"],
    ["rate limited", "/docs/api-reference#error-rate_limited"],
    ["sandbox", "/docs/sandbox"],
    ["X-Request-Id", "/docs/api-reference#headers-of-answers"],
    ["composer", "/docs/sdks#php"],
    ["gem install", "/docs/sdks#ruby"],
    ...SDKS.map(({ id, label }) => [label, `/docs/sdks#${id}`]),
  ])("for %s: %s", (question, id) => {
    expect(foundFor(question)[0]).toBe(id);
  });
});

test.each([
  ["porting", "ported"],
  ["a cached answer", "caching answers"],
  ["retry", "retries"],
  ["keys", "key"],
])("%s and %s are the same question", (one, other) => {
  expect(foundFor(one).length).toBeGreaterThan(1);
  expect(new Set(foundFor(one))).toStrictEqual(new Set(foundFor(other)));
});

test("marks whole forms of the words that were found, and no parts of others", () => {
  function marks(text: string, question: string): string[] {
    const { terms } = find(index, question)[0]!;
    return snippet(text, terms).flatMap((run) => (run.hit ? [run.text] : []));
  }
  expect(marks("It reports what was ported, by porting.", "ported")).toStrictEqual(["ported", "porting"]);
  expect(marks("Idempotency", "idempotency")).toStrictEqual(["Idempotency"]);
});
