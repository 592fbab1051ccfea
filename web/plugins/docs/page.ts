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
import { MAX_BATCH_SIZE } from "../../../contract/limits.ts";
import { PLAN_IDS, PLANS, TEST_LIMITS } from "../../../contract/plans.ts";
import type { Plan, PlanLimits } from "../../../contract/plans.ts";
import { REGISTER_COUNTRIES } from "../../../contract/registers.ts";
import { SDK_VERSION } from "../../../contract/sdks.ts";
import built from "../../../sdks/packages.json" with { type: "json" };
import { SDK_PACKAGES, sdkPath } from "../../../sdks/packages.ts";
import { API_CHANGELOG } from "../../content/changelog.ts";
import type { DocHeading } from "../../lib/doc-handle.ts";
import { headingId } from "../../lib/heading-id.ts";
import { SDKS } from "../../lib/language.ts";
import { shownJson } from "../shown-json.ts";
import { accuracyTable } from "./accuracy-tables.ts";
import { docErrors, docNumber, docResult } from "./data.ts";
import { docTable } from "./fields.ts";
import { reasonHint, reasonTable } from "./reason-tables.ts";
import { fenceLanguage, sdkExample } from "./samples.ts";
import { heading, isElement, replaceNodes, requiredAttribute, textAttribute, textOf } from "./tree.ts";
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

/** The entries that the contract adds to the list of headings: a catalog's codes, a table's fields with anchors. */
function entriesOf(element: DocElement): DocHeading[] {
  if (element.name === "ErrorCatalog") {
    const errors = docErrors(textAttribute(element, "only") ?? "all");
    return errors.map(({ id, code }) => ({ id, text: code, depth: 3 }));
  }
  const anchor = textAttribute(element, "anchor");
  const fields = anchor === undefined ? [] : (docTable(element)?.fields ?? []);
  return fields
    .filter(({ name }) => !/[.[]/.test(name))
    .map(({ name }) => ({ id: `${anchor}-${name}`, text: name, depth: 3 }));
}

/**
 * Gives each heading an id from its text, with a number appended if it is taken.
 * @returns the headings of the second and third level, for the list beside the page, with what the contract adds.
 * @throws Error for a heading of the first level: the page's title is the only one.
 */
function markHeadings(tree: Root): DocHeading[] {
  const taken = new Set<string>();
  const headings: DocHeading[] = [];
  visit(tree, (node) => {
    if (isElement(node)) headings.push(...entriesOf(node));
    if (node.type !== "heading") return;
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

/** Every SDK's version, the size of its package, and what it runs on. */
function sdkTable(): RootContent[] {
  const rows = SDK_PACKAGES.map(({ id, label, requires }) => {
    return `| [${label}](${sdkPath(id)}) | ${SDK_VERSION} | ${Math.round(built[id].bytes / 1024)} KB | ${requires.split(",")[0]} |`;
  });
  return markdown(`| SDK | Version | Size | Runs on |\n| --- | --- | --- | --- |\n${rows.join("\n")}`);
}

/** An SDK's requirements, installation, and sources, in Markdown. */
function installation({ requires, registry, install, id }: (typeof SDK_PACKAGES)[number]): string {
  return `Requires ${requires}. It isn't on ${registry.name} yet. Install it from this site:

\`\`\`sh title="Install"
${install}
\`\`\`

See its [package, checksum, and source](${sdkPath(id)}).`;
}

/** A panel for each SDK: its requirements, how to install it, and its examples. */
function sdkPanels(): RootContent[] {
  const panels = SDK_PACKAGES.map((sdk) => {
    const { id, label, example } = sdk;
    const fence = (name: string) => `\`\`\`${fenceLanguage(id)} file="${sdkExample(sdk, name)}"\n\`\`\``;
    return [
      `<Panel language="${label}">`,
      installation(sdk),
      "Check validity and the range's carrier with `verify`:",
      fence("simple"),
      `Get the full result and handle errors. Save it as \`${example.file}\`; \`${example.run}\` runs it.`,
      fence("verify"),
      `Verify up to ${MAX_BATCH_SIZE} numbers in one request. A sandbox number that fails doesn't affect the others:`,
      fence("batch"),
      "</Panel>",
    ].join("\n\n");
  });
  return markdown(`<LanguagePicker>\n\n${panels.join("\n\n")}\n\n</LanguagePicker>`);
}

/** Every version of the API, newest first: its story, its changes, and the result fields it added to the first one's. */
function apiChangelog(): RootContent[] {
  return API_CHANGELOG.flatMap((release, at) => {
    const { version, date, title, summary, changes, fields = [] } = release;
    const isFirst = at === API_CHANGELOG.length - 1;
    const names = fields.map((name) => `\`${name}\``).join(", ");
    const added = isFirst || names === "" ? [] : [{ tag: "API", title: "Result fields", text: `${names}.` }];
    const items = [...changes, ...added].map(({ tag, title: what, text }) => {
      return `<Change tag="${tag}">\n\n**${what}.** ${text}\n\n</Change>`;
    });
    return markdown(
      [
        `<Release version="${version}" date="${formatUtcDay(date)}">`,
        `## ${title}`,
        summary,
        ...items,
        "</Release>",
      ].join("\n\n"),
    );
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
  const rows = Map.groupBy(dated, ({ date, what }) => `| ${formatUtcDay(date).replaceAll(" ", "\u00A0")} | ${what} |`);
  const lines = [...rows]
    .toSorted(([, [a]], [, [b]]) => b!.date.localeCompare(a!.date))
    .map(([line, releases]) => `${line} ${releases.map(({ of }) => of).join(", ")} |`);
  return markdown(`| Date | Release | Of |\n| --- | --- | --- |\n${lines.join("\n")}`);
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
    if (node.name === "ApiChangelog") return apiChangelog();
    if (node.name === "DataReleases") return dataReleases();
    if (node.name === "ReasonTable") return markdown(reasonTable(requiredAttribute(node, "of")));
    if (node.name === "AccuracyTable") return markdown(accuracyTable(requiredAttribute(node, "of")));
    if (node.name === "PlanTable") return planTable();
    if (node.name === "SdkTable") return sdkTable();
    if (node.name === "Installation") return markdown(installation(SDK_PACKAGES[0]));
    return node.name === "SdkPanels" ? sdkPanels() : null;
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
