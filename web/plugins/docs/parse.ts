import type { Root } from "mdast";
import remarkGfm from "remark-gfm";
import remarkMdx from "remark-mdx";
import remarkParse from "remark-parse";
import { unified } from "unified";
import type { DocHeading } from "../../lib/doc-handle.ts";
import { splitFrontmatter } from "./frontmatter.ts";
import type { Frontmatter } from "./frontmatter.ts";
import { markHeadings } from "./headings.ts";
import { prepareComponents } from "./prepare.ts";

/** A docs page as it was written, its headings numbered and its components checked. */
export interface ParsedPage extends Frontmatter {
  readonly headings: readonly DocHeading[];
  readonly tree: Root;
}

const PARSER = unified().use(remarkParse).use(remarkMdx).use(remarkGfm);

/** Reads a page. What both of its forms need, the web page and the Markdown, is done here, so that their anchors agree. */
export function parsePage(source: string): ParsedPage {
  const { frontmatter, body } = splitFrontmatter(source);
  const tree = PARSER.parse(body);
  prepareComponents(tree);
  return { ...frontmatter, headings: markHeadings(tree), tree };
}
