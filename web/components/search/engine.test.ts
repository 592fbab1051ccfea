import MiniSearch from "minisearch";
import { beforeAll, describe, expect, test } from "vitest";
import { SDKS } from "../../lib/language.ts";
import { SEARCH_OPTIONS } from "../../lib/doc-search.ts";
import type { SearchSection } from "../../lib/doc-search.ts";
import { docFile } from "../../plugins/docs/files.ts";
import { find, snippet } from "./engine.ts";
import type { SearchIndex } from "./engine.ts";

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
    ["idempotency", "/docs/idempotency"],
    ["Rate limits", "/docs/limits#rate-limits"],
    ["the rate limits", "/docs/limits#rate-limits"],
    ["batch", "/docs/verify-batch"],
    ["verify batch", "/docs/verify-batch"],
    ["rate limited", "/docs/errors#error-rate_limited"],
    ["sandbox", "/docs/sandbox"],
    ["X-Request-Id", "/docs/conventions#response-headers"],
    ["composer", "/docs/sdks#php"],
    ["gem install", "/docs/sdks#ruby"],
    ["SLA", "/docs/support#what-we-promise"],
    ["GDPR", "/docs/support#personal-data-gdpr"],
    ["DPA", "/docs/support#personal-data-gdpr"],
    ["delete my data", "/docs/support#personal-data-gdpr"],
    ["webhook", "/docs/support#what-we-dont-have"],
    ["webhooks", "/docs/support#what-we-dont-have"],
    ["invoice", "/docs/support#what-we-dont-have"],
    ...SDKS.map(({ id, label }) => [label, `/docs/sdks#${id}`]),
  ])("for %s: %s", (question, id) => {
    expect(foundFor(question)[0]).toBe(id);
  });
});

test.each([
  ["porting", "ported"],
  ["a cached response", "caching responses"],
  ["retry", "retries"],
  ["keys", "key"],
])("%s and %s are the same query", (one, other) => {
  expect(foundFor(one).length).toBeGreaterThan(1);
  expect(new Set(foundFor(one))).toStrictEqual(new Set(foundFor(other)));
});

describe("a snippet", () => {
  function snippetOf(question: string, wanted: string): string {
    const found = find(index, question).find(({ id }) => id === wanted)!;
    return snippet(found)
      .map(({ text }) => text)
      .join("");
  }

  test("is the sentence that matches rather than a row above it", () => {
    const text = snippetOf("key", "/docs/authentication#test-and-live-keys");
    expect(text).not.toMatch(/^…| · /);
    expect(text).toMatch(/\bkeys?\b/);
  });

  test("is one row, its name first, if no sentence matches", () => {
    expect(snippetOf("JSON malformed", "/docs/verify#status-codes")).toMatch(/^400: The body isn't JSON/);
  });

  test("ends with its paragraph", () => {
    expect(snippetOf("seconds missing", "/docs/quota")).toMatch(/may be missing\.$/);
  });

  test("keeps the cells of a row apart", () => {
    expect(snippetOf("Allow", "/docs/conventions#response-headers")).toBe(
      "Allow: 405 · The methods allowed at this URL",
    );
  });

  test("is one line of code, if nothing else matches", () => {
    const found = { text: "Nothing of it.", lines: "npm install\ngem install", terms: ["gem"] };
    expect(snippet(found).map(({ text }) => text)).toStrictEqual(["gem", " install"]);
  });
});

test.each([
  ["account", "/docs/quickstart#create-an-account"],
  ["rotate a key", "/docs/authentication#roll-a-key"],
  ["how to rotate a key", "/docs/authentication#roll-a-key"],
  ["revoke key", "/docs/authentication#revoke-a-key"],
  ["invalid number", "/docs/verify#invalid-numbers"],
])("for %s, guides come before the dashboard's own calls: %s", (question, id) => {
  expect(foundFor(question)[0]).toBe(id);
});

/** An index over one-word texts, which are their own ids. */
function indexOf(...words: string[]): SearchIndex {
  const small = new MiniSearch<SearchSection>(SEARCH_OPTIONS);
  small.addAll(words.map((id) => ({ id, page: "", heading: "", names: "", text: id, lines: "" })));
  return small;
}

test.each(["to", "how to", "what is", "can", "how do I do", "DO"])("%s finds something", (question) => {
  expect(foundFor(question)).not.toStrictEqual([]);
});

test("the word being typed may be the start of another: what do", () => {
  expect(find(indexOf("what", "domain"), "what do").map(({ id }) => id)).toStrictEqual(["domain"]);
});

test.each([
  ["billi", ["billing"]],
  ["portin", ["porting"]],
  ["retrie", ["retries", "retry"]],
  ["string", ["string", "strings"]],
  ["strings", ["string", "strings"]],
  ["setting", ["setting", "settings"]],
  ["settings", ["setting", "settings"]],
  ["fee", ["fee", "fees"]],
  ["fees", ["fee", "fees"]],
])("%s finds %j and nothing else", (question, words) => {
  const all = indexOf(
    "billing",
    "porting",
    "retries",
    "retry",
    "string",
    "strings",
    "setting",
    "settings",
    "fee",
    "fees",
    "fetch",
  );
  expect(
    find(all, question)
      .map(({ id }) => id)
      .toSorted(),
  ).toStrictEqual(words);
});

test.each([
  ["It reports what was ported, by porting.", "ported", ["ported", "porting"]],
  ["Idempotency", "idempotency", ["Idempotency"]],
  ["A call, calls, calling, called", "call", ["call", "calls", "calling", "called"]],
  ["Billing: a bill is billed", "billing", ["Billing", "bill", "billed"]],
  ["A setting, settings, and to set", "setting", ["setting", "settings", "set"]],
  ["RATE_LIMITED, limits", "limit", ["LIMITED", "limits"]],
  ["RATE_LIMITED", "RATE_LIMITED", ["RATE_LIMITED"]],
])("%s: marks whole words for %s", (text, question, words) => {
  const found = find(indexOf(text), question)[0]!;
  expect(snippet(found).flatMap((run) => (run.hit ? [run.text] : []))).toStrictEqual(words);
});
