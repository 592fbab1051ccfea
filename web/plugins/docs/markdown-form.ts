import type { Blockquote, InlineCode, ListItem, Paragraph, PhrasingContent, Root, RootContent, Table } from "mdast";
import { ORIGIN } from "../../../contract/origin.ts";
import { contactsAt, mailto } from "../../content/contact.ts";
import { emptyReport, reportText } from "../../content/wrong-result.ts";
import { ASSISTANTS, installLink } from "../../lib/install-link.ts";
import { headingId } from "../../lib/heading-id.ts";
import { SDKS } from "../../lib/language.ts";
import { COVERAGE_COLUMNS, coverageRows } from "./coverage.ts";
import { docErrors, sandboxRows } from "./data.ts";
import { docOperation, docTable, fieldElements } from "./fields.ts";
import type { DocTable } from "./fields.ts";
import { heading, isElement, replaceNodes, requiredAttribute, textAttribute } from "./tree.ts";
import type { DocElement } from "./tree.ts";
import { assistantOf, checklistOf, contactOf } from "./web-form.ts";

/** Text with code in backticks, as in the contract. */
function words(text: string): PhrasingContent[] {
  return text
    .split(/(`[^`]+`)/)
    .filter((part) => part !== "")
    .map((part) => (part.startsWith("`") ? code(part.slice(1, -1)) : { type: "text", value: part }));
}

function code(value: string): InlineCode {
  return { type: "inlineCode", value };
}

function paragraph(...children: PhrasingContent[]): Paragraph {
  return { type: "paragraph", children };
}

function boldParagraph(text: string): Paragraph {
  return paragraph({ type: "strong", children: [{ type: "text", value: text }] });
}

function table(head: readonly string[], rows: readonly (readonly PhrasingContent[][])[]): Table {
  const cells = [head.map(words), ...rows];
  return {
    type: "table",
    children: cells.map((row) => ({
      type: "tableRow",
      children: row.map((children) => ({ type: "tableCell", children })),
    })),
  };
}

function fieldTable({ fields, optional, folded }: Omit<DocTable, "label">): Table {
  const head = ["Field", "Type", ...(optional ? ["Required"] : []), ...(folded ? ["Example"] : []), "Description"];
  const rows = fields.map(({ name, type, required, fallback, description, example }) => [
    [code(name)],
    [code(type)],
    ...(optional ? [words(required ? "yes" : fallback === undefined ? "no" : `no, default \`${fallback}\``)] : []),
    ...(folded ? [example === undefined ? [] : [code(example)]] : []),
    words(description),
  ]);
  return table(head, rows);
}

/** A contract table requested by a page, and below it what the page says about its fields, each with its anchor. */
function askedTable(element: DocElement): RootContent[] {
  const found = docTable(element);
  if (found === null) return [];
  const anchor = textAttribute(element, "anchor");
  const about = fieldElements(element).flatMap((field): RootContent[] => {
    const name = requiredAttribute(field, "name");
    const source = textAttribute(field, "source");
    const title: Paragraph = {
      ...paragraph({ type: "strong", children: [code(name)] }),
      data: { hProperties: { id: `${anchor}-${name}` } },
    } as Paragraph;
    const based = source === undefined ? [] : [paragraph(...words(`Based on ${source}.`))];
    return [title, ...markdownOf(field), ...based];
  });
  return [fieldTable(found), ...about];
}

function call(id: string): RootContent[] {
  const { method, path } = docOperation(id);
  return [paragraph({ type: "strong", children: [code(`${method} ${path}`)] })];
}

function endpoint(id: string): RootContent[] {
  const { method, path, summary, description, session, parameters, status, answer } = docOperation(id);
  const about = [`${summary}.`, description, session ? "Requires a session." : undefined];
  return [
    paragraph({ type: "strong", children: [code(`${method} ${path}`)] }),
    paragraph(...words(about.filter((text) => text !== undefined).join(" "))),
    ...(parameters.length > 0
      ? [paragraph(...words("Request fields:")), fieldTable({ fields: parameters, optional: true, folded: false })]
      : []),
    paragraph(...words(`The response is a ${status}${answer.length > 0 ? ":" : " without a body."}`)),
    ...(answer.length > 0 ? [fieldTable({ fields: answer, optional: false, folded: false })] : []),
  ];
}

function errorCatalog(set: string): RootContent[] {
  return docErrors(set).flatMap(({ code: name, id, status, message, fix }) => [
    heading(3, name, id),
    paragraph(...words(`Status ${status}. ${message}`)),
    paragraph(...words(`How to fix it: ${fix}`)),
  ]);
}

function sandboxTable(only: string): Table {
  const rows = sandboxRows(only).map(({ number, scenario, answer, status, message }) => [
    [code(number)],
    words(scenario),
    [code(answer)],
    words(String(status)),
    message === null ? [] : [code(message)],
  ]);
  return table(["Number", "Scenario", "Response code", "HTTP status", "Message"], rows);
}

function coverageTable(): Table {
  const rows = coverageRows().map(({ name, about, shares }) => [words(name), words(about), ...shares.map(words)]);
  return table(["Country", "Calling code and register", ...COVERAGE_COLUMNS], rows);
}

function callout(element: DocElement): Blockquote {
  const name = textAttribute(element, "title") ?? (textAttribute(element, "type") === "warning" ? "Warning" : "Note");
  return { type: "blockquote", children: [boldParagraph(name), ...markdownOf(element)] as Blockquote["children"] };
}

function checklist(element: DocElement): RootContent[] {
  const list = checklistOf(element);
  const items = list.children.map((item): ListItem => ({ ...item, checked: false }));
  const title = textAttribute(element, "title");
  return [...(title === undefined ? [] : [boldParagraph(title)]), { ...list, children: items }];
}

/** The children of an element as plain Markdown. */
function markdownOf(element: DocElement): RootContent[] {
  const root: Root = { type: "root", children: element.children as RootContent[] };
  expand(root);
  return root.children;
}

/** The name of its language has the anchor that opens it. */
function panel(element: DocElement): RootContent[] {
  const name = requiredAttribute(element, "language");
  const id = SDKS.find(({ label }) => label === name)?.id;
  return [{ ...boldParagraph(name), data: { hProperties: { id } } } as Paragraph, ...markdownOf(element)];
}

/** Its title has the anchor that opens it. */
function choice(element: DocElement): RootContent[] {
  const title = requiredAttribute(element, "title");
  const data = { hProperties: { id: headingId(title) } };
  return [{ ...boldParagraph(title), data } as Paragraph, ...markdownOf(element)];
}

/** A version's title, the version with its date, and its changes. */
function release(element: DocElement): RootContent[] {
  const about = `${requiredAttribute(element, "version")}, ${requiredAttribute(element, "date")}`;
  const [title, ...rest] = markdownOf(element);
  return [title!, boldParagraph(about), ...rest];
}

/** Steps are numbered by position; the title is already each step's heading. */
function steps(element: DocElement): RootContent[] {
  const each = (element.children as RootContent[]).filter(isElement);
  for (const [index, step] of each.entries()) {
    const [title] = step.children as RootContent[];
    if (title?.type === "heading") title.children.unshift({ type: "text", value: `${index + 1}. ` });
  }
  return markdownOf(element);
}

/** Each component as plain Markdown. */
const FORMS: Readonly<Record<string, (element: DocElement) => RootContent[]>> = {
  AnswerTable: askedTable,
  Call: (element) => call(requiredAttribute(element, "endpoint")),
  Calls: markdownOf,
  Callout: (element) => [callout(element)],
  Checklist: checklist,
  Change: (element) => [boldParagraph(requiredAttribute(element, "tag")), ...markdownOf(element)],
  Choice: choice,
  Choices: markdownOf,
  CoverageTable: () => [coverageTable()],
  Endpoint: (element) => endpoint(requiredAttribute(element, "id")),
  ErrorCatalog: (element) => errorCatalog(textAttribute(element, "only") ?? "all"),
  FieldTable: askedTable,
  Filter: markdownOf,
  LanguagePicker: markdownOf,
  Panel: panel,
  ParameterTable: askedTable,
  SandboxTable: (element) => [sandboxTable(textAttribute(element, "only") ?? "all")],
  Release: release,
  Side: markdownOf,
  Split: markdownOf,
  Step: markdownOf,
  Steps: steps,
  TryIt: markdownOf,
};

function expand(tree: Root): void {
  replaceNodes(tree, (node) => {
    if (node.type === "mdxjsEsm" || node.type === "mdxFlowExpression") return [];
    if (!isElement(node)) return null;
    const form = FORMS[node.name ?? ""];
    if (form === undefined) throw new Error(`<${node.name}> has no Markdown form.`);
    return form(node);
  });
}

function fillLinks(tree: Root, origin: string): void {
  replaceNodes(tree, (node) => {
    if (!isElement(node)) return null;
    if (node.name === "WrongResult") {
      const field = textAttribute(node, "field") ?? "";
      const url = emptyReport(field, contactsAt(origin).support);
      return [{ type: "link", url, children: [{ type: "text", value: reportText(field) }] }];
    }
    if (node.name === "InstallLink") {
      const to = assistantOf(node);
      const text: PhrasingContent = { type: "text", value: `Add to ${ASSISTANTS[to]}` };
      return [{ type: "link", url: installLink(to, origin), children: [text] }];
    }
    if (node.name !== "Contact") return null;
    const address = contactsAt(origin)[contactOf(node)];
    return [{ type: "link", url: mailto(address), children: [{ type: "text", value: address }] }];
  });
}

/** Addresses that work outside the site: absolute, and docs pages as their Markdown. Anchors are kept. */
function wholeAddress(url: string, origin: string): string {
  const doc = /^\/docs\/([\w-]+)(#.*)?$/.exec(url);
  if (doc) return `${origin}/docs/${doc[1]}.md${doc[2] ?? ""}`;
  return url.startsWith("/") ? origin + url : url;
}

/** Turns a page's tree into plain Markdown without components, with the addresses of the built site. */
export function toMarkdownForm(tree: Root, origin: string): void {
  fillLinks(tree, origin);
  expand(tree);
  replaceNodes(tree, (node) => {
    if (node.type === "link") node.url = wholeAddress(node.url, origin);
    if (node.type === "code" || node.type === "inlineCode") node.value = node.value.replaceAll(ORIGIN, origin);
    return null;
  });
}
