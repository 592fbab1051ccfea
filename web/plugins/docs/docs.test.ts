import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Table } from "mdast";
import { describe, expect, test } from "vitest";
import { MAX_BATCH_SIZE, MAX_NUMBER_LENGTH } from "../../../contract/limits.ts";
import { PageResult } from "../../../contract/verification.ts";
import { PLANS, TEST_LIMITS, TRIAL } from "../../../contract/plans.ts";
import { DOC_PAGES } from "../../content/docs/sections.ts";
import { docOperation, schemaFields } from "./fields.ts";
import { toMarkdownForm } from "./markdown-form.ts";
import { parsePage } from "./page.ts";
import { textOf } from "./tree.ts";
import { importsOf, toWebForm } from "./web-form.ts";

const HEAD = "---\ntitle: A page\ndescription: About it.\n---\n\n";

describe("front matter", () => {
  test("is removed, and lines keep their numbers", () => {
    const { title, description, tree } = parsePage(`---\ntitle: "A: page"\ndescription: About it.\n---\n\n## x`);
    expect({ title, description }).toStrictEqual({ title: "A: page", description: "About it." });
    expect(tree.children.map(({ type, position }) => [type, position?.start.line])).toStrictEqual([["heading", 6]]);
  });

  test.each(["## x", "---\ntitle: A\n---\n", `${HEAD.slice(0, -6)}\nslug: a\n---\n`])("is rejected: %j", (source) => {
    expect(() => parsePage(source)).toThrow(/front matter/);
  });
});

describe("a page", () => {
  test("numbers headings with the same text, and lists the steps among them", () => {
    const { headings } = parsePage(
      `${HEAD}## Try it\n\n<Steps>\n<Step title="Try it">\n\nText.\n\n</Step>\n</Steps>\n\n#### Small`,
    );
    expect(headings).toStrictEqual([
      { id: "try-it", text: "Try it", depth: 2 },
      { id: "try-it-2", text: "Try it", depth: 3 },
    ]);
  });

  test.each([
    ["At most {NOTHING} numbers.", "{NOTHING} means nothing"],
    ["# Title", "only heading of the first level"],
    ['<LanguagePicker>\n<Panel language="Python">\n\nx\n\n</Panel>\n</LanguagePicker>', "needs a <Panel> for each"],
    ['```json result="+1"\n```', "results.json lacks +1"],
    ['```json result="+1202" only="valid,nothing"\n```', "The result for +1202 has no field nothing"],
    ["<Steps>\n<Step>\n\nx\n\n</Step>\n</Steps>", 'needs title="…"'],
    ['<ErrorCatalog only="nothing" />', "There is no set of errors nothing"],
    ['<ReasonTable of="nothing" />', "is one of reasons, suggestions, rejections, flags, not nothing"],
    ['```js hints="TOO_ODD"\nconst HINTS = {\n  ...REASON_HINTS,\n};\n```', "There is no reason TOO_ODD"],
  ])("is rejected: %j", (text, message) => {
    expect(() => parsePage(HEAD + text)).toThrow(message);
  });

  test.each([
    ["<Nothing />", "There is no component <Nothing>"],
    ['<FieldTable schema="Nothing" />', "There is no schema Nothing"],
    ['<ParameterTable endpoint="nothing" />', "There is no operation nothing"],
    ['<FieldTable schema="Problem" only="nothing" />', "Problem has no field nothing"],
    [
      '<FieldTable schema="Problem" example="+1202">\n<Field name="nothing" />\n</FieldTable>',
      "is no field of its table",
    ],
    ['<Endpoint id="nothing" />', "There is no operation nothing"],
    ['Write to <Contact to="nobody" />.', "There is no address for nobody"],
    ["```brainfuck\n+\n```", "A fence begins with one of"],
    ['<Calls of="nothing">\n\n```sh\ncurl\n```\n\n</Calls>', "There are no samples of nothing"],
    ['<Calls of="verify">\n\n```sh\ncurl\n```\n\n</Calls>', "needs a fence with"],
  ])("cannot be shown: %j", async (text, message) => {
    const { tree } = parsePage(HEAD + text);
    const shown = toWebForm(tree).then(() => importsOf(tree, import.meta.dirname));
    await expect(shown).rejects.toThrow(message);
  });

  test("has a call in every language, with the number or path of its own fence", async () => {
    const calls = (of: string, curl: string) => `<Calls of="${of}">\n\n\`\`\`sh\n${curl}\n\`\`\`\n\n</Calls>\n\n`;
    const { tree } = parsePage(HEAD + calls("verify", "curl -d +12025550109") + calls("get", "curl /api/v1/health"));
    await toWebForm(tree);
    const shown = JSON.stringify(tree).split('"name":"CodeFence"').slice(1);
    expect(shown).toHaveLength(2 * 8);
    expect(shown.filter((fence) => fence.includes("+12025550109"))).toHaveLength(8);
    expect(shown.filter((fence) => fence.includes("/api/v1/health"))).toHaveLength(8);
  });

  test("is plain text as Markdown, with absolute addresses", () => {
    const { tree } = parsePage(
      `${HEAD}<Callout type="warning">\n\nSee [it](/docs/sandbox#x) and [us](/about).\n\n</Callout>`,
    );
    toMarkdownForm(tree, "https://a.test");
    expect(textOf(tree)).toBe("WarningSee it and us.");
    expect(JSON.stringify(tree)).toContain('"https://a.test/docs/sandbox.md#x"');
    expect(JSON.stringify(tree)).toContain("https://a.test/about");
  });

  test("has the contract's numbers in its text and headings, and our addresses at the site's own host", () => {
    const { tree, headings } = parsePage(
      `${HEAD}## Up to {MAX_BATCH_SIZE}\n\nIn {TRIAL.days} days, <Contact to="support" />.`,
    );
    expect(headings[0]?.id).toBe(`up-to-${MAX_BATCH_SIZE}`);
    toMarkdownForm(tree, "https://a.test");
    expect(textOf(tree)).toBe(`Up to ${MAX_BATCH_SIZE}In ${TRIAL.days} days, support@a.test.`);
    expect(JSON.stringify(tree)).toContain('"mailto:support@a.test"');
  });

  test("has samples after their text, and a call with its fields", () => {
    const { tree } = parsePage(
      `${HEAD}<Split>\n\nText.\n\n<Side>\n\nSample.\n\n</Side>\n</Split>\n\n<Endpoint id="me" />`,
    );
    toMarkdownForm(tree, "https://a.test");
    const types = ["paragraph", "paragraph", "paragraph", "paragraph", "paragraph", "table"];
    expect(tree.children.map(({ type }) => type)).toStrictEqual(types);
    expect(textOf(tree)).toMatch(
      /^Text\.Sample\.GET \/api\/v1\/account\/meThe logged-in account\. Requires a session\./,
    );
  });

  test.each([
    ["| A | B | C |\n| - | - | - |\n| 1 | 2 | 3 |", ["A", "B", "C"]],
    ["| One | Other |\n| - | - |\n| `INVALIDCOUNTRYCODE` | `INVALIDCOUNTRYCODE` |", ["One", "Other"]],
    ["| One | Other |\n| - | - |\n| `INVALID_COUNTRY_CODE` | `INVALID_COUNTRY_CODE` |", [undefined, undefined]],
    ["| Status | When |\n| - | - |\n| 200 | Success. Check `valid` |", [undefined, undefined]],
  ])("labels the cells of a table that is too wide for a phone with their columns: %j", async (text, labels) => {
    const { tree } = parsePage(HEAD + text);
    await toWebForm(tree);
    const [table] = tree.children as Table[];
    const labelled = table!.children.map(({ children }) =>
      children.map(({ data }) => (data as { hProperties?: Record<string, unknown> })?.hProperties?.["data-label"]),
    );
    expect(labelled).toStrictEqual([labels.map(() => undefined), labels]);
  });

  test("has a checklist's title in its Markdown, before the list", () => {
    const { tree } = parsePage(`${HEAD}<Checklist id="a" title="Do these">\n\n- One\n\n</Checklist>`);
    toMarkdownForm(tree, "https://a.test");
    expect(tree.children.map(({ type }) => type)).toStrictEqual(["paragraph", "list"]);
    expect(textOf(tree)).toBe("Do theseOne");
  });
});

describe("the pages", () => {
  const limits = [
    MAX_NUMBER_LENGTH,
    MAX_BATCH_SIZE,
    TEST_LIMITS.requestsPerMinute,
    PLANS.pro.requestsPerMinute,
    TRIAL.days,
  ];
  const written = new RegExp(
    `\\b(?:${limits.join("|")}) (?:characters|numbers|requests|times|days|a minute)\\b|\\b\\d+ (?:KB|countries)\\b|\\b1,000\\b`,
    "g",
  );

  test.each(DOC_PAGES.map(({ slug }) => slug))("%s hard-codes no limit of the contract", (slug) => {
    const source = readFileSync(join(import.meta.dirname, `../../content/docs/${slug}.mdx`), "utf8");
    // Code can't reference the contract; test/api/docs.complete.test.ts checks it.
    const prose = source.replaceAll(/```[\s\S]*?```|`[^`]*`/g, "");
    expect(prose.match(written) ?? []).toStrictEqual([]);
  });
});

describe("fields of the contract", () => {
  test("are listed with their types, including nested ones", () => {
    const fields = schemaFields("VerificationResult");
    expect(fields.find(({ name }) => name === "line_type")?.type).toBe('"mobile" | "fixed" | "voip" | null');
    expect(fields.find(({ name }) => name === "deliverability.sms")?.required).toBe(true);
    expect(fields.every(({ description }) => description !== "")).toBe(true);
    expect(docOperation("verifyBatch").answer[0]?.type).toBe("(VerificationResult | SandboxBatchFailure)[]");
  });

  test("show what is required and what is not, each with its description", () => {
    const { parameters } = docOperation("verify");
    const fields = parameters.map(({ name, required }) => [name, required]);
    expect(fields).toStrictEqual([
      ["number", true],
      ["country", false],
      ["expect_country", false],
      ["accept_types", false],
      ["accept_line_types", false],
      ["reject_unallocated", false],
    ]);
    expect(parameters.every(({ description }) => description !== "")).toBe(true);
  });

  test("of a page's result are the ones on the page about web pages", () => {
    const source = readFileSync(join(import.meta.dirname, "../../content/docs/web-pages.mdx"), "utf8");
    const names = /only="([\w.,]+)"/
      .exec(source)![1]!
      .split(",")
      .filter((name) => !name.includes("."));
    expect(names).toStrictEqual(Object.keys(PageResult.entries));
  });

  test("show query parameters by the type of their parsed value, with their defaults", () => {
    const [days, mode] = docOperation("usageReport").parameters;
    expect(days).toMatchObject({ name: "days", type: "integer", required: false, fallback: "30" });
    expect(mode).not.toHaveProperty("fallback");
    const { tree } = parsePage(`${HEAD}<Endpoint id="usageReport" />`);
    toMarkdownForm(tree, "https://a.test");
    expect(textOf(tree)).toContain("daysintegerno, default 30Number of days");
  });
});
