import { describe, expect, test } from "vitest";
import { textOf } from "./tree.ts";
import { endpointFields, schemaFields } from "./data/fields.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import { toMarkdownForm } from "./markdown-form.ts";
import { parsePage } from "./parse.ts";
import { importsOf, toWebForm } from "./web-form.ts";

const HEAD = "---\ntitle: A page\ndescription: About it.\n---\n\n";

describe("front matter", () => {
  test("is taken off, and lines keep their numbers", () => {
    const { frontmatter, body } = splitFrontmatter(`---\ntitle: "A: page"\ndescription: About it.\n---\n\n# x`);
    expect(frontmatter).toStrictEqual({ title: "A: page", description: "About it." });
    expect(body).toBe("\n\n\n\n\n# x");
  });

  test.each(["# x", "---\ntitle: A\n---\n", `${HEAD.slice(0, -6)}\nslug: a\n---\n`])("is refused: %j", (source) => {
    expect(() => splitFrontmatter(source)).toThrow(/front matter/);
  });
});

describe("a page", () => {
  test("numbers headings of the same words, and lists the steps among them", () => {
    const { headings } = parsePage(
      `${HEAD}## Try it\n\n<Steps>\n<Step title="Try it">\n\nText.\n\n</Step>\n</Steps>\n\n#### Small`,
    );
    expect(headings).toStrictEqual([
      { id: "try-it", text: "Try it", depth: 2 },
      { id: "try-it-2", text: "Try it", depth: 3 },
    ]);
  });

  test.each([
    ["# Title", "only heading of the first level"],
    ['<LanguagePicker>\n<Panel language="Python">\n\nx\n\n</Panel>\n</LanguagePicker>', "needs a <Panel> for each"],
    ["<Steps>\n<Step>\n\nx\n\n</Step>\n</Steps>", 'needs title="…"'],
  ])("is refused: %j", (text, message) => {
    expect(() => parsePage(HEAD + text)).toThrow(message);
  });

  test.each([
    ["<Nothing />", "There is no component <Nothing>"],
    ['<FieldTable schema="Nothing" />', "There is no schema Nothing"],
    ['<ParameterTable endpoint="nothing" />', "There is no operation nothing"],
    ['<ErrorCatalogue only="nothing" />', "There is no set of errors nothing"],
    ["```brainfuck\n+\n```", "A fence begins with one of"],
  ])("cannot be shown: %j", async (text, message) => {
    const { tree } = parsePage(HEAD + text);
    const shown = toWebForm(tree).then(() => importsOf(tree, import.meta.dirname));
    await expect(shown).rejects.toThrow(message);
  });

  test("is plain text as Markdown, with whole addresses", () => {
    const { tree } = parsePage(
      `${HEAD}<Callout type="warning">\n\nSee [it](/docs/sandbox#x) and [us](/about).\n\n</Callout>`,
    );
    toMarkdownForm(tree, "https://a.test");
    expect(textOf(tree)).toBe("WarningSee it and us.");
    expect(JSON.stringify(tree)).toContain("https://a.test/docs/sandbox.md");
    expect(JSON.stringify(tree)).toContain("https://a.test/about");
  });

  test("has the title of a checklist in its Markdown, before the list", () => {
    const { tree } = parsePage(`${HEAD}<Checklist id="a" title="Do these">\n\n- One\n\n</Checklist>`);
    toMarkdownForm(tree, "https://a.test");
    expect(tree.children.map(({ type }) => type)).toStrictEqual(["paragraph", "list"]);
    expect(textOf(tree)).toBe("Do theseOne");
  });
});

describe("fields of the contract", () => {
  test("are told with their types, those within others too", () => {
    const fields = schemaFields("VerificationResult");
    expect(fields.find(({ name }) => name === "line_type")?.type).toBe('"mobile" | "fixed" | "voip" | null');
    expect(fields.find(({ name }) => name === "deliverability.sms")?.required).toBe(true);
    expect(fields.every(({ description }) => description !== "")).toBe(true);
    expect(schemaFields("BatchResponse")[0]?.type).toBe("(SandboxResult | VerificationResult | SandboxBatchFailure)[]");
  });

  test("say what is required and what is not, each with its description", () => {
    const fields = endpointFields("verify").map(({ name, required }) => [name, required]);
    expect(fields).toStrictEqual([
      ["number", true],
      ["country", false],
    ]);
    expect(endpointFields("verify").every(({ description }) => description !== "")).toBe(true);
  });
});
