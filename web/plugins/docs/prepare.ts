import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Code, Root, RootContent } from "mdast";
import { SDKS } from "../../lib/language.ts";
import { docNumber } from "./data/numbers.ts";
import { heading, isElement, replaceNodes, requiredAttribute, visitNodes } from "./tree.ts";
import type { DocElement } from "./tree.ts";

const SAMPLES = join(import.meta.dirname, "../../content/samples");

/** The title of a step is a heading, so that it gets an anchor and stands in the list beside the page. */
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

/** A fence with `file="verify.py"` shows that file of content/samples, which are tested, in place of code of its own. */
function fillFence(code: Code): void {
  const file = /file="([\w.-]+)"/.exec(code.meta ?? "")?.[1];
  if (file === undefined) return;
  code.value = readFileSync(join(SAMPLES, file), "utf8").trimEnd();
  code.meta = (code.meta ?? "").replace(/file="[\w.-]+"/, `title="${file}"`);
}

/** Numbers of the contract become text, for both forms of the page and its headings alike. */
function fillNumbers(tree: Root): void {
  replaceNodes(tree, (node) => {
    return node.type === "mdxTextExpression" ? [{ type: "text", value: docNumber(node.value) }] : null;
  });
}

/** What a page's components need before its headings are counted. */
export function prepareComponents(tree: Root): void {
  fillNumbers(tree);
  visitNodes(tree, (node) => {
    if (node.type === "code") fillFence(node);
    if (node.type === "root" || !isElement(node)) return;
    if (node.name === "Step") prepareStep(node);
    if (node.name === "LanguagePicker") checkPicker(node);
  });
}
