import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { RootContent } from "mdast";
import MiniSearch from "minisearch";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { DOC_GROUPS, DOC_PAGES, docPath } from "../../content/docs/sections.ts";
import { SEARCH_OPTIONS } from "../../lib/doc-search.ts";
import type { SearchSection } from "../../lib/doc-search.ts";
import { toMarkdownForm } from "./markdown-form.ts";
import { parsePage } from "./page.ts";
import type { ParsedPage } from "./page.ts";
import { textOf } from "./tree.ts";

const CONTENT = join(import.meta.dirname, "../../content/docs");
const SEARCH_INDEX = "docs/search-index.json";

const WRITER = unified()
  .use(remarkGfm, { tablePipeAlign: false })
  .use(remarkStringify, { bullet: "-", fences: true, rule: "-" });

/** A page without components: its tree is plain Markdown. */
async function plainPage(slug: string, origin: string): Promise<ParsedPage> {
  const page = parsePage(await readFile(join(CONTENT, `${slug}.mdx`), "utf8"));
  toMarkdownForm(page.tree, origin);
  return page;
}

function plainPages(origin: string): Promise<ParsedPage[]> {
  return Promise.all(DOC_PAGES.map(({ slug }) => plainPage(slug, origin)));
}

function written({ title, description, tree }: ParsedPage): string {
  return `# ${title}\n\n${description}\n\n${WRITER.stringify(tree)}`;
}

/** The list of pages for language models, in the llmstxt.org format. */
async function llmsTxt(origin: string): Promise<string> {
  const pages = new Map((await plainPages(origin)).map((page, index) => [DOC_PAGES[index]!.slug, page]));
  const groups = DOC_GROUPS.map(({ title, pages: listed }) => {
    const lines = listed.map(({ slug }) => {
      const page = pages.get(slug)!;
      return `- [${page.title}](${origin}${docPath(slug)}.md): ${page.description}`;
    });
    return `## ${title}\n\n${lines.join("\n")}\n`;
  });
  return `# Checkline

> A phone number verification API. Send a number to learn whether it's valid, its country, line type, area, time zones, and the carrier whose range it is. An invalid number is a result, not an error. We never store the numbers you verify.

Every page below is plain Markdown. ${origin}/llms-full.txt has all of them in one file.

${groups.join("\n")}
## Machine-readable

- [OpenAPI 3.1 document](${origin}/api/v1/openapi.json): every operation, field, error, and limit
- [Coverage](${origin}/coverage.json): of which share of each country's numbers each field is known
- [MCP server](${origin}/docs/mcp.md): \`/mcp\`, with an API key
`;
}

async function llmsFullTxt(origin: string): Promise<string> {
  const pages = await plainPages(origin);
  return pages
    .map((page, index) => `<!-- ${origin}${docPath(DOC_PAGES[index]!.slug)} -->\n\n${written(page)}`)
    .join("\n\n---\n\n");
}

/** The id of a heading, or an equivalent, from its page or its component. */
function idOf(node: RootContent): string | undefined {
  const id = (node.data as { hProperties?: { id?: unknown } } | undefined)?.hProperties?.id;
  return typeof id === "string" ? id : undefined;
}

/** The texts that aren't empty, one after another. */
function joined(texts: readonly string[], between: string): string {
  return texts.filter((text) => text !== "").join(between);
}

/** The sentences of a node, a paragraph or list per line. */
function wordsOf(node: RootContent): string {
  if (node.type === "table" || node.type === "code") return "";
  if (!("children" in node) || node.type === "paragraph") return textOf(node).replaceAll(/\s+/g, " ").trim();
  const words = node.children.map((child) => wordsOf(child as RootContent));
  if (node.type !== "list") return joined(words, "\n");
  return joined(words, " · ").replaceAll(/(?<=[.:!?…]) ·/g, "");
}

/** The rows and lines of code in a node. A row becomes "TOO_SHORT: Some digits are missing". */
function linesOf(node: RootContent): string[] {
  if (node.type === "code") return node.value.split("\n");
  if (!("children" in node) || node.type === "paragraph") return [];
  if (node.type !== "table") return node.children.flatMap((child) => linesOf(child as RootContent));
  return node.children.slice(1).map((row) => {
    const [name = "", ...rest] = row.children.map((cell) => textOf(cell)).filter((text) => text !== "");
    return rest.length === 0 ? name : `${name}: ${rest.join(" · ")}`;
  });
}

function namesOf(node: RootContent): string {
  return node.type === "table" ? node.children.map((row) => textOf(row.children[0]!)).join(" ") : "";
}

function sectionsOf(path: string, { title, description, tree }: ParsedPage): SearchSection[] {
  const sections = [{ id: path, page: title, heading: title, text: description, lines: "", names: "" }];
  for (const node of tree.children) {
    const id = idOf(node);
    if (id !== undefined) {
      sections.push({
        id: `${path}#${id}`,
        page: title,
        heading: textOf(node).replace(/^\d+\. /, ""),
        text: "",
        lines: "",
        names: "",
      });
      continue;
    }
    const section = sections.at(-1)!;
    section.text = joined([section.text, wordsOf(node)], "\n");
    section.lines = [section.lines, ...linesOf(node)].filter((line) => line.trim() !== "").join("\n");
    section.names += ` ${namesOf(node)}`;
  }
  return sections;
}

/** The index that the search dialog loads, as JSON. The pages are those of DOC_PAGES, in their order. */
function searchIndex(pages: readonly ParsedPage[]): string {
  const index = new MiniSearch<SearchSection>(SEARCH_OPTIONS);
  index.addAll(pages.flatMap((page, at) => sectionsOf(docPath(DOC_PAGES[at]!.slug), page)));
  return JSON.stringify(index);
}

/** The docs' generated files besides pages, as paths below the site's root. */
export function docFileNames(): string[] {
  return [...DOC_PAGES.map(({ slug }) => `docs/${slug}.md`), "llms.txt", "llms-full.txt", SEARCH_INDEX];
}

/** The text of one of these files. */
export async function docFile(name: string, origin: string): Promise<string> {
  if (name === "llms.txt") return llmsTxt(origin);
  if (name === "llms-full.txt") return llmsFullTxt(origin);
  if (name === SEARCH_INDEX) return searchIndex(await plainPages(origin));
  return written(await plainPage(name.slice("docs/".length, -".md".length), origin));
}
