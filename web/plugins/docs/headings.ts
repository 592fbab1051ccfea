import type { Heading, Root, RootContent } from "mdast";
import type { DocHeading } from "../../lib/doc-handle.ts";
import { headingId } from "../../lib/heading-id.ts";
import { textOf, visitNodes } from "./tree.ts";

/** The id that a heading, or what stands for one, was given by `markHeadings` or by the component it comes from. */
export function idOf(node: RootContent): string | undefined {
  const id = (node.data as { hProperties?: { id?: unknown } } | undefined)?.hProperties?.id;
  return typeof id === "string" ? id : undefined;
}

/**
 * Gives each heading the id that its text makes, a number behind it where the id is taken.
 * @returns the headings of the second and third level, as the list beside the page shows them.
 * @throws Error for a heading of the first level: the page's title is the only one.
 */
export function markHeadings(tree: Root): DocHeading[] {
  const taken = new Set<string>();
  const headings: DocHeading[] = [];
  visitNodes(tree, (node) => {
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
