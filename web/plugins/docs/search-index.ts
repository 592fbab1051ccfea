import MiniSearch from "minisearch";
import type { RootContent } from "mdast";
import { DOC_PAGES, docPath } from "../../content/docs/sections.ts";
import { SEARCH_OPTIONS } from "../../lib/doc-search.ts";
import type { SearchSection } from "../../lib/doc-search.ts";
import { idOf } from "./headings.ts";
import type { ParsedPage } from "./parse.ts";
import { textOf } from "./tree.ts";

/** The words of a node; cells, items and paragraphs stay apart. */
function wordsOf(node: RootContent): string {
  if (!("children" in node) || node.type === "paragraph" || node.type === "tableCell") return textOf(node);
  return node.children.map((child) => wordsOf(child as RootContent)).join(" ");
}

function namesOf(node: RootContent): string {
  return node.type === "table" ? node.children.map((row) => textOf(row.children[0]!)).join(" ") : "";
}

function sectionsOf(path: string, { title, description, tree }: ParsedPage): SearchSection[] {
  const sections: { id: string; page: string; heading: string; text: string; names: string }[] = [
    { id: path, page: title, heading: title, text: description, names: "" },
  ];
  for (const node of tree.children) {
    const id = idOf(node);
    if (id !== undefined) {
      sections.push({ id: `${path}#${id}`, page: title, heading: textOf(node), text: "", names: "" });
      continue;
    }
    const section = sections.at(-1)!;
    section.text = `${section.text} ${wordsOf(node)}`.replaceAll(/\s+/g, " ").trim();
    section.names += ` ${namesOf(node)}`;
  }
  return sections;
}

/** The index that the search dialog loads, as JSON. The pages are those of DOC_PAGES, in their order. */
export function searchIndex(pages: readonly ParsedPage[]): string {
  const index = new MiniSearch<SearchSection>(SEARCH_OPTIONS);
  index.addAll(pages.flatMap((page, at) => sectionsOf(docPath(DOC_PAGES[at]!.slug), page)));
  return JSON.stringify(index);
}
