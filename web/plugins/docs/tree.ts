import { parseExpressionAt, parse } from "acorn";
import type { Program } from "estree-jsx";
import type { Heading, Root, RootContent } from "mdast";
import type { MdxJsxFlowElement, MdxJsxTextElement } from "mdast-util-mdx-jsx";
import type { MdxjsEsm } from "mdast-util-mdxjs-esm";
import { SKIP, visit } from "unist-util-visit";

/** A component in a page: `<Callout type="note">…</Callout>`. */
export type DocElement = MdxJsxFlowElement | MdxJsxTextElement;

/** Any node of a page. */
export type DocNode = Root | RootContent;

export type Attributes = Readonly<Record<string, unknown>>;

export function isElement(node: DocNode): node is DocElement {
  return node.type === "mdxJsxFlowElement" || node.type === "mdxJsxTextElement";
}

/**
 * Walks a tree from top to bottom; a node returned by the callback replaces the current one, and is not walked itself.
 */
export function replaceNodes(tree: Root, replace: (node: RootContent) => readonly RootContent[] | null): void {
  visit(tree, (node, index, parent) => {
    const found = parent === undefined ? null : replace(node as RootContent);
    if (found === null) return undefined;
    parent!.children.splice(index!, 1, ...found);
    return [SKIP, index! + found.length];
  });
}

/** The text of a node and all within it. */
export function textOf(node: DocNode): string {
  if ("value" in node && typeof node.value === "string" && node.type !== "mdxjsEsm") return node.value;
  if (!("children" in node)) return "";
  return node.children.map((child) => textOf(child as RootContent)).join("");
}

/**
 * A text attribute: `name="…"`.
 * @throws Error for an expression, which the Markdown form of the page could not evaluate.
 */
export function textAttribute(element: DocElement, name: string): string | undefined {
  for (const attribute of element.attributes) {
    if (attribute.type !== "mdxJsxAttribute" || attribute.name !== name) continue;
    if (typeof attribute.value === "string") return attribute.value;
    throw new Error(`Write ${name}="…" on <${element.name}>, without braces.`);
  }
  return undefined;
}

/** The same, but required. */
export function requiredAttribute(element: DocElement, name: string): string {
  const text = textAttribute(element, name);
  if (text === undefined || text === "") throw new Error(`<${element.name}> needs ${name}="…".`);
  return text;
}

/** A component with properties that can be written as JSON. */
export function jsxElement(name: string, props: Attributes, children: readonly RootContent[] = []): MdxJsxFlowElement {
  const attributes = Object.entries(props)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const json = JSON.stringify(value);
      const estree: Program = {
        type: "Program",
        sourceType: "module",
        body: [
          { type: "ExpressionStatement", expression: parseExpressionAt(json, 0, { ecmaVersion: "latest" }) as never },
        ],
      };
      return {
        type: "mdxJsxAttribute" as const,
        name: key,
        value: { type: "mdxJsxAttributeValueExpression" as const, value: json, data: { estree } },
      };
    });
  return { type: "mdxJsxFlowElement", name, attributes, children: [...children] as MdxJsxFlowElement["children"] };
}

/** A line of imports or exports for the page's module. */
export function esm(code: string): MdxjsEsm {
  const estree = parse(code, { ecmaVersion: "latest", sourceType: "module" }) as unknown as Program;
  return { type: "mdxjsEsm", value: code, data: { estree } };
}

export function heading(depth: Heading["depth"], text: string, id?: string): Heading {
  return {
    type: "heading",
    depth,
    children: [{ type: "text", value: text }],
    ...(id !== undefined && { data: { hProperties: { id } } }),
  } as Heading;
}
