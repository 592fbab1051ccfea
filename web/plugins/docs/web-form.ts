import { join, relative } from "node:path";
import type { Code, List, Root, RootContent, Table, TableCell } from "mdast";
import type { MdxJsxTextElement } from "mdast-util-mdx-jsx";
import { ORIGIN } from "../../../contract/origin.ts";
import { CONTACT } from "../../content/contact.ts";
import { headingId } from "../../lib/heading-id.ts";
import { ASSISTANTS } from "../../lib/install-link.ts";
import type { Assistant } from "../../lib/install-link.ts";
import { curly } from "../../lib/quotes.ts";
import { visit } from "unist-util-visit";
import { highlight } from "../highlight.ts";
import { COVERAGE_COLUMNS, coverageRows } from "./coverage.ts";
import { docErrors, sandboxRows } from "./data.ts";
import { docOperation, docTable } from "./fields.ts";
import { addLanguages } from "./samples.ts";
import { isElement, jsxElement, replaceNodes, requiredAttribute, textAttribute, textOf } from "./tree.ts";
import type { Attributes, DocElement } from "./tree.ts";

/** Each file's components. A page imports those that it uses. */
const COMPONENTS_OF: Readonly<Record<string, readonly string[]>> = {
  "../../text/components.tsx": ["Card", "Cards", "Drawing", "Question"],
  "checklist.tsx": ["Checklist", "ChecklistItem"],
  "calls.tsx": ["Call", "Calls"],
  "choices.tsx": ["Choices", "Choice"],
  "coverage-table.tsx": ["CoverageTable"],
  "elements.tsx": [
    "Callout",
    "CodeFence",
    "Contact",
    "InstallLink",
    "OriginCode",
    "Side",
    "Split",
    "Step",
    "Steps",
    "WrongResult",
  ],
  "fields.tsx": ["Endpoint", "Field", "FieldTable"],
  "filter.tsx": ["Filter"],
  "language-picker.tsx": ["LanguagePicker", "Panel"],
  "tables.tsx": ["Change", "ErrorCatalog", "Release", "SandboxTable"],
  "try-it/try-it.tsx": ["TryIt"],
};

/** The id for remembering a checked item: changes with its text. */
function itemId(text: string): string {
  return headingId(text).slice(0, 60);
}

/** The list within a checklist. */
export function checklistOf(element: DocElement): List {
  const list = (element.children as RootContent[]).find((child) => child.type === "list");
  if (list === undefined) throw new Error("A <Checklist> holds a list.");
  return list;
}

function checklist(element: DocElement): RootContent {
  const items = checklistOf(element).children.map((item) => {
    // An item's words are in a paragraph, which a label may not contain.
    const words = item.children.flatMap((child) => (child.type === "paragraph" ? child.children : []));
    return jsxElement("ChecklistItem", { id: itemId(textOf(item)) }, words);
  });
  const ids = checklistOf(element).children.map((item) => itemId(textOf(item)));
  const props = { id: requiredAttribute(element, "id"), title: textAttribute(element, "title"), items: ids };
  return jsxElement("Checklist", props, items);
}

/** The recipient of a `<Contact to="…">`. */
export function contactOf(element: DocElement): keyof typeof CONTACT {
  const to = requiredAttribute(element, "to");
  const known = (Object.keys(CONTACT) as (keyof typeof CONTACT)[]).find((name) => name === to);
  if (known === undefined)
    throw new Error(`There is no address for ${to}. There are ${Object.keys(CONTACT).join(", ")}.`);
  return known;
}

/** The assistant of an `<InstallLink to="…">`. */
export function assistantOf(element: DocElement): Assistant {
  const to = requiredAttribute(element, "to");
  if (!Object.hasOwn(ASSISTANTS, to)) throw new Error(`There is no link for ${to}.`);
  return to as Assistant;
}

/** What a component becomes with the contract's data; null for those that stay unchanged. */
function filledIn(element: DocElement): RootContent | null {
  const table = docTable(element);
  if (table !== null) {
    const props = { ...table, anchor: textAttribute(element, "anchor") };
    // In place, so that what the page says about its fields is filled in too.
    Object.assign(element, { name: "FieldTable", attributes: jsxElement("FieldTable", props).attributes });
    return null;
  }
  switch (element.name) {
    case "Call": {
      const { method, path } = docOperation(requiredAttribute(element, "endpoint"));
      return jsxElement("Call", { method, path });
    }
    case "Filter": {
      const statuses = (element.children as RootContent[])
        .filter(isElement)
        .filter(({ name }) => name === "ErrorCatalog")
        .flatMap((catalog) => docErrors(textAttribute(catalog, "only") ?? "all").map(({ status }) => String(status)));
      const chips = [...new Set(statuses)].toSorted();
      element.attributes.push(...jsxElement("Filter", { chips }).attributes);
      return null;
    }
    case "Endpoint":
      return jsxElement("Endpoint", { ...docOperation(requiredAttribute(element, "id")) });
    case "ErrorCatalog":
      return jsxElement("ErrorCatalog", { errors: docErrors(textAttribute(element, "only") ?? "all") });
    case "SandboxTable":
      return jsxElement("SandboxTable", { rows: sandboxRows(textAttribute(element, "only") ?? "all") });
    case "CoverageTable":
      return jsxElement("CoverageTable", { rows: coverageRows(), columns: COVERAGE_COLUMNS });
    case "Checklist":
      return checklist(element);
    case "Contact":
      return inlineElement("Contact", { to: contactOf(element) });
    case "WrongResult":
      return inlineElement("WrongResult", { field: textAttribute(element, "field") });
    case "InstallLink":
      return inlineElement("InstallLink", { to: assistantOf(element) });
    default:
      return null;
  }
}

/** The languages of fences, and their display names. */
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "Shell",
  js: "JavaScript",
  ts: "TypeScript",
  python: "Python",
  php: "PHP",
  ruby: "Ruby",
  go: "Go",
  java: "Java",
  dart: "Dart",
  html: "HTML",
  jsx: "JavaScript",
  json: "JSON",
  http: "HTTP",
  text: "Text",
};

/** A fence has a language, and optionally `title="…"`. */
async function codeFence({ lang, meta, value }: Code): Promise<RootContent> {
  const language = lang ?? "nothing";
  const name = LANGUAGES[language];
  if (name === undefined) {
    throw new Error(`A fence begins with one of ${Object.keys(LANGUAGES).join(", ")}, not ${language}.`);
  }
  const title = /title="([^"]*)"/.exec(meta ?? "")?.[1];
  const html = await highlight(value, language);
  return jsxElement("CodeFence", { html, title, label: title ?? `Code in ${name}` });
}

function inlineElement(name: string, props: Attributes): RootContent {
  return { ...jsxElement(name, props), type: "mdxJsxTextElement" } as MdxJsxTextElement;
}

function originCode(value: string): RootContent {
  return inlineElement("OriginCode", { text: value });
}

/** How many characters fit on one line on a phone. */
const PHONE = 34;

/**
 * Whether a table is too wide for a phone: more than two columns, or their longest words together are too long. Names in
 * code may break after underscores.
 */
function isWide({ children: rows }: Table): boolean {
  const columns = rows[0]?.children ?? [];
  const longest = (at: number) =>
    Math.max(...rows.flatMap(({ children }) => textOf(children[at]!).split(/\s|(?<=_)/)).map((word) => word.length));
  return columns.length > 2 || columns.reduce((sum, _, at) => sum + longest(at), 0) > PHONE;
}

/** Labels each cell of a wide table with its column, which a phone shows beside it. */
function labelCells({ children: [head, ...rows] }: Table): void {
  const label = (cell: TableCell, at: number) => {
    cell.data = { ...cell.data, hProperties: { "data-label": textOf(head!.children[at]!) } } as TableCell["data"] &
      object;
  };
  for (const { children } of rows) children.forEach(label);
}

/** Names each table after the heading above it. */
function nameTables(tree: Root): void {
  let above = "Table";
  const counts = new Map<string, number>();
  visit(tree, (node) => {
    if (node.type === "heading") above = textOf(node);
    if (node.type !== "table") return;
    const count = (counts.get(above) ?? 0) + 1;
    counts.set(above, count);
    const name = count === 1 ? above : `${above}, table ${count}`;
    node.data = { ...node.data, hProperties: { "data-name": name } } as Table["data"] & object;
    if (isWide(node)) labelCells(node);
  });
}

/** Turns a page's tree into what the site shows: data from the contract, highlighted code. */
export async function toWebForm(tree: Root): Promise<void> {
  visit(tree, "text", (node) => void (node.value = curly(node.value)));
  nameTables(tree);
  replaceNodes(tree, (node) => {
    if (isElement(node)) {
      const filled = filledIn(node);
      return filled && [filled];
    }
    return node.type === "inlineCode" && node.value.includes(ORIGIN) ? [originCode(node.value)] : null;
  });
  visit(tree, (node) => {
    if (isElement(node) && node.name === "Calls") addLanguages(node);
  });
  const fences: Code[] = [];
  visit(tree, "code", (node) => void fences.push(node));
  const made = new Map(await Promise.all(fences.map(async (code) => [code, await codeFence(code)] as const)));
  replaceNodes(tree, (node) => (node.type === "code" ? [made.get(node)!] : null));
}

/**
 * The import lines of the components that a page uses.
 * @throws Error for a component that does not exist.
 */
export function importsOf(tree: Root, folder: string): string {
  const used = new Set<string>();
  visit(tree, (node) => {
    if (isElement(node) && node.name && /^[A-Z]/.test(node.name)) used.add(node.name);
  });
  return [...used].map((name) => `import { ${name} } from "${fileOf(name, folder)}";`).join("\n");
}

/** The path from a page's folder to the file of a component. */
function fileOf(component: string, folder: string): string {
  const file = Object.keys(COMPONENTS_OF).find((each) => COMPONENTS_OF[each]!.includes(component));
  if (file === undefined) throw new Error(`There is no component <${component}>.`);
  const path = relative(folder, join(import.meta.dirname, "../../routes/docs/components", file)).replaceAll("\\", "/");
  return path.startsWith(".") ? path : `./${path}`;
}
