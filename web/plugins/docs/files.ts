import { readFile } from "node:fs/promises";
import { join } from "node:path";
import remarkGfm from "remark-gfm";
import remarkStringify from "remark-stringify";
import { unified } from "unified";
import { DOC_GROUPS, DOC_PAGES, docPath } from "../../content/docs/sections.ts";
import { toMarkdownForm } from "./markdown-form.ts";
import { parsePage } from "./parse.ts";
import type { ParsedPage } from "./parse.ts";
import { searchIndex } from "./search-index.ts";

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

/** The list of pages for language models, as llmstxt.org describes it. */
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

> Phone number verification as an API: send a number, learn whether it is valid, its country, the carrier its range was first allocated to, its line type, area and time zones. A number that is not valid is an answer too. Verified numbers are never stored.

Every page below is plain Markdown. All of them in one file: ${origin}/llms-full.txt

${groups.join("\n")}
## Machine-readable

- [OpenAPI document](${origin}/api/v1/openapi.json): every operation, field, error and limit, OpenAPI 3.1
`;
}

async function llmsFullTxt(origin: string): Promise<string> {
  const pages = await plainPages(origin);
  return pages
    .map((page, index) => `<!-- ${origin}${docPath(DOC_PAGES[index]!.slug)} -->\n\n${written(page)}`)
    .join("\n\n---\n\n");
}

/** The files that the docs consist of beside their pages, as paths below the site's root. */
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
