import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { load } from "js-yaml";
import type { Code, Heading, Root, RootContent } from "mdast";
import remarkFrontmatter from "remark-frontmatter";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import { visit } from "unist-util-visit";
import * as v from "valibot";
import { countryName } from "../../../contract/country-names.ts";
import { DATA_NAMES, DATA_RELEASES, dataReleaseName, REGISTER_RELEASES } from "../../../contract/data.ts";
import type { DataTable } from "../../../contract/data.ts";
import { formatCount, formatUtcDay } from "../../../contract/format.ts";
import { PLAN_IDS, PLANS, TEST_LIMITS } from "../../../contract/plans.ts";
import type { Plan, PlanLimits } from "../../../contract/plans.ts";
import { REGISTER_COUNTRIES } from "../../../contract/registers.ts";
import { SDK_PACKAGES, sdkPath } from "../../../sdks/packages.ts";
import { API_CHANGELOG } from "../../content/changelog.ts";
import type { DocHeading } from "../../lib/doc-handle.ts";
import { headingId } from "../../lib/heading-id.ts";
import { SDKS } from "../../lib/language.ts";
import { shownJson } from "../shown-json.ts";
import { accuracyTable } from "./accuracy-tables.ts";
import { docNumber, docResult } from "./data.ts";
import { reasonHint, reasonTable } from "./reason-tables.ts";
import { heading, isElement, replaceNodes, requiredAttribute, textOf } from "./tree.ts";
import type { DocElement } from "./tree.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PARSER = unified().use(remarkParse).use(remarkMdx).use(remarkFrontmatter).use(remarkGfm);

/**
 * The YAML at the top of a page. The description is one sentence, for search engines and under the heading of a docs page;
 * other texts have a lead there, and legal ones the day of their last change.
 */
const Frontmatter = v.strictObject({
  title: v.pipe(v.string(), v.nonEmpty()),
  description: v.pipe(v.string(), v.nonEmpty()),
  lead: v.optional(v.pipe(v.string(), v.nonEmpty())),
  updated: v.optional(v.pipe(v.string(), v.isoDate())),
});

/** A page's metadata. */
export interface PageHead extends v.InferOutput<typeof Frontmatter> {
  /** Second and third level, for the list beside the page. */
  readonly headings: readonly DocHeading[];
}

/** A docs page's source, with its headings numbered and its components checked. */
export interface ParsedPage extends PageHead {
  readonly tree: Root;
}

/** @throws Error unless the page starts with a title and a description, and nothing else. */
function takeFrontmatter(tree: Root): v.InferOutput<typeof Frontmatter> {
  const [first] = tree.children;
  const parsed = v.safeParse(Frontmatter, first?.type === "yaml" ? load(first.value) : null);
  if (!parsed.success) {
    throw new Error(`The front matter of a page is its title and description. ${v.summarize(parsed.issues)}`);
  }
  tree.children.shift();
  return parsed.output;
}

/**
 * Gives each heading an id from its text, with a number appended if it is taken.
 * @returns the headings of the second and third level, for the list beside the page.
 * @throws Error for a heading of the first level: the page's title is the only one.
 */
function markHeadings(tree: Root): DocHeading[] {
  const taken = new Set<string>();
  const headings: DocHeading[] = [];
  visit(tree, "heading", (node) => {
    const text = textOf(node);
    if (node.depth === 1) throw new Error(`The title is the only heading of the first level: # ${text}`);
    const base = headingId(text);
    let id = base;
    for (let count = 2; taken.has(id); count += 1) id = `${base}-${count}`;
    taken.add(id);
    node.data = { ...node.data, hProperties: { id } } as Heading["data"] & object;
    if (node.depth === 2 || node.depth === 3) headings.push({ id, text, depth: node.depth });
  });
  return headings;
}

/** A step's title is a heading, so that it gets an anchor and appears in the list beside the page. */
function prepareStep(step: DocElement): void {
  const title = heading(3, requiredAttribute(step, "title"));
  step.children = [title as never, ...(step.children as never[])];
}

/** @throws Error unless there is a panel for each language, in the order of the picker. */
function checkPicker(picker: DocElement): void {
  const panels = (picker.children as RootContent[]).filter(isElement);
  const languages = panels.map((panel) => requiredAttribute(panel, "language"));
  const wanted = SDKS.map((sdk) => sdk.label);
  if (languages.join() !== wanted.join()) {
    throw new Error(`A <LanguagePicker> needs a <Panel> for each of ${wanted.join(", ")}, in this order.`);
  }
}

/**
 * A fence with `file="sdks/python/examples/verify.py"` shows that file, which its SDK's tests run, instead of inline
 * code. One with `result="+5511987654321"` shows the engine's result for that number, with `key="test"` the sandbox's,
 * and with `only="valid,reason"` those of its fields. With `hints="TOO_SHORT,MASKED"`, `...REASON_HINTS` is these reasons' hints.
 */
function fillFence(code: Code): void {
  const meta = code.meta ?? "";
  const file = /file="([\w./-]+)"/.exec(meta)?.[1];
  const number = /result="([^"]+)"/.exec(meta)?.[1];
  const hints = /hints="([^"]+)"/.exec(meta)?.[1]?.split(",");
  if (file !== undefined) {
    code.value = readFileSync(join(ROOT, file), "utf8").trimEnd();
    code.meta = meta.replace(/file="[\w./-]+"/, `title="${basename(file)}"`);
  } else if (number !== undefined) {
    const fields = /only="([^"]+)"/.exec(meta)?.[1]?.split(",");
    code.value = shownJson(docResult(number, meta.includes('key="test"'), fields));
    code.meta = meta.replaceAll(/(?:result|key|only)="[^"]*" ?/g, "");
  } else if (hints !== undefined) {
    code.value = code.value.replace(/^( *)\.\.\.REASON_HINTS,$/m, (_, indent: string) => {
      return hints.map((reason) => `${indent}${reason}: ${JSON.stringify(reasonHint(reason))},`).join("\n");
    });
    code.meta = meta.replace(/ ?hints="[^"]+"/, "");
  }
}

function markdown(text: string): RootContent[] {
  return PARSER.parse(text).children;
}

function sdkOf(id: string, component: string): (typeof SDK_PACKAGES)[number] {
  const sdk = SDK_PACKAGES.find((each) => each.id === id);
  if (sdk === undefined) throw new Error(`<${component} sdk="${id}"> is of no SDK.`);
  return sdk;
}

/** An SDK's requirements, installation, and sources. @throws Error for an unknown id. */
function installation(id: string): RootContent[] {
  const { requires, registry, install, id: sdk } = sdkOf(id, "Installation");
  return markdown(`Requires ${requires}. It isn't on ${registry.name} yet. Install it from this site:

\`\`\`sh title="Install"
${install}
\`\`\`

See its [package, checksum, and source](${sdkPath(sdk)}).`);
}

/** How to save and run an SDK's first example. @throws Error for an unknown id. */
function howToRun(id: string): RootContent[] {
  const { file, run } = sdkOf(id, "RunExample").example;
  return markdown(`Save it as \`${file}\`; \`${run}\` runs it.`);
}

/** Every version of the API, newest first: its story, its changes, and the result fields it added to the first one's. */
function apiChangelog(): RootContent[] {
  return API_CHANGELOG.flatMap((release, at) => {
    const { version, date, title, summary, changes, fields = [] } = release;
    const isFirst = at === API_CHANGELOG.length - 1;
    const names = fields.map((name) => `\`${name}\``).join(", ");
    const added = isFirst || names === "" ? [] : [{ title: "Result fields", text: `${names}.` }];
    const items = [...changes, ...added].map((change) => `- **${change.title}.** ${change.text}`);
    return markdown(`## ${version} (${formatUtcDay(date)})\n\n**${title}.** ${summary}\n\n${items.join("\n")}`);
  });
}

/** The dated releases behind today's results, newest first: those of tables, then of registers. */
function dataReleases(): RootContent[] {
  const tables = (Object.keys(DATA_NAMES) as DataTable[]).map((table) => {
    const { date, ...release } = DATA_RELEASES[table];
    return { what: dataReleaseName({ ...release, date: null }), of: DATA_NAMES[table].toLowerCase(), date };
  });
  const registers = REGISTER_COUNTRIES.map((country) => {
    return {
      what: "Register of allocated numbers",
      of: countryName(country),
      date: REGISTER_RELEASES[country]?.date ?? null,
    };
  });
  const dated = [...tables, ...registers].flatMap(({ date, ...release }) =>
    date === null ? [] : { ...release, date },
  );
  const lines = Map.groupBy(dated, ({ date, what }) => `**${formatUtcDay(date)}.** ${what}`);
  return markdown(
    [...lines]
      .toSorted(([, [a]], [, [b]]) => b!.date.localeCompare(a!.date))
      .map(([line, releases]) => `- ${line}: ${releases.map(({ of }) => of).join(", ")}.`)
      .join("\n"),
  );
}

/** What test keys and each plan's live keys share, and what a plan includes. */
function planTable(): RootContent[] {
  const rates = (limits: PlanLimits) =>
    `${formatCount(limits.requestsPerMinute)} | ${formatCount(limits.numbersPerMinute)}`;
  const quotas = ({ quota, days }: (typeof PLANS)[Plan]) => {
    if (quota === null) return "No limit";
    return days === null ? formatCount(quota) : `${formatCount(quota)} within ${formatCount(days, "day")}`;
  };
  const plans = PLAN_IDS.map((id) => `| Live keys, ${PLANS[id].name} | ${rates(PLANS[id])} | ${quotas(PLANS[id])} |`);
  return markdown(`
| Keys, together | Requests per minute | Numbers per minute | Successful live verifications |
| --- | --- | --- | --- |
| Test keys | ${rates(TEST_LIMITS)} | Not counted |
${plans.join("\n")}`);
}

/** The contract's numbers become text, in both forms of the page and in headings. */
function fillNumbers(tree: Root): void {
  replaceNodes(tree, (node) => {
    return node.type === "mdxTextExpression" ? [{ type: "text", value: docNumber(node.value) }] : null;
  });
}

/** Prepares a page's components before its headings are counted. */
function prepareComponents(tree: Root): void {
  fillNumbers(tree);
  replaceNodes(tree, (node) => {
    if (!isElement(node)) return null;
    if (node.name === "Installation") return installation(requiredAttribute(node, "sdk"));
    if (node.name === "ApiChangelog") return apiChangelog();
    if (node.name === "DataReleases") return dataReleases();
    if (node.name === "ReasonTable") return markdown(reasonTable(requiredAttribute(node, "of")));
    if (node.name === "AccuracyTable") return markdown(accuracyTable(requiredAttribute(node, "of")));
    if (node.name === "PlanTable") return planTable();
    return node.name === "RunExample" ? howToRun(requiredAttribute(node, "sdk")) : null;
  });
  visit(tree, (node) => {
    if (node.type === "code") fillFence(node);
    if (!isElement(node)) return;
    if (node.name === "Step") prepareStep(node);
    if (node.name === "LanguagePicker") checkPicker(node);
  });
}

/**
 * Does what both forms of a page need, the web page and the Markdown, so that their anchors agree.
 * @throws Error for an invalid page: its front matter, a heading, a number, or a component is wrong.
 */
export function preparePage(tree: Root): PageHead {
  const frontmatter = takeFrontmatter(tree);
  prepareComponents(tree);
  return { ...frontmatter, headings: markHeadings(tree) };
}

/** Reads the source of a page. */
export function parsePage(source: string): ParsedPage {
  const tree = PARSER.parse(source);
  return { ...preparePage(tree), tree };
}
