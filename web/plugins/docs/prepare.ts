import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Code, PhrasingContent, Root, RootContent } from "mdast";
import { SDK_PACKAGES, sdkPath } from "../../../contract/sdks.ts";
import { SDKS } from "../../lib/language.ts";
import { docNumber } from "./data/numbers.ts";
import { heading, isElement, replaceNodes, requiredAttribute, visitNodes } from "./tree.ts";
import type { DocElement } from "./tree.ts";

const ROOT = join(import.meta.dirname, "../../..");

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

/** A fence with `file="sdks/python/examples/verify.py"` shows that file, which its SDK's tests run, in place of code of its own. */
function fillFence(code: Code): void {
  const file = /file="([\w./-]+)"/.exec(code.meta ?? "")?.[1];
  if (file === undefined) return;
  code.value = readFileSync(join(ROOT, file), "utf8").trimEnd();
  code.meta = (code.meta ?? "").replace(/file="[\w./-]+"/, `title="${basename(file)}"`);
}

function sdkOf(id: string, component: string): (typeof SDK_PACKAGES)[number] {
  const sdk = SDK_PACKAGES.find((each) => each.id === id);
  if (sdk === undefined) throw new Error(`<${component} sdk="${id}"> is of no SDK.`);
  return sdk;
}

/** What an SDK needs, how it is installed from here, and where its sources are. @throws Error for an id that no SDK has. */
function installation(id: string): RootContent[] {
  const sdk = sdkOf(id, "Installation");
  const { requires, registry, install } = sdk;
  const about: PhrasingContent[] = [
    { type: "text", value: `Needs ${requires}. On ${registry.name} its name will be ` },
    { type: "inlineCode", value: registry.package },
    { type: "text", value: "; it is not published there yet, so the command below takes it from this site. " },
    { type: "link", url: sdkPath(sdk.id), children: [{ type: "text", value: "Package, checksum and source" }] },
  ];
  return [
    { type: "paragraph", children: about },
    { type: "code", lang: "sh", meta: 'title="Install"', value: install },
  ];
}

/** How the example that an SDK's tests run first is saved and run. @throws Error for an id that no SDK has. */
function howToRun(id: string): RootContent[] {
  const { file, run } = sdkOf(id, "RunExample").example;
  const sentence: PhrasingContent[] = [
    { type: "text", value: "Save it as " },
    { type: "inlineCode", value: file },
    { type: "text", value: "; " },
    { type: "inlineCode", value: run },
    { type: "text", value: " runs it." },
  ];
  return [{ type: "paragraph", children: sentence }];
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
  replaceNodes(tree, (node) => {
    if (!isElement(node)) return null;
    if (node.name === "Installation") return installation(requiredAttribute(node, "sdk"));
    return node.name === "RunExample" ? howToRun(requiredAttribute(node, "sdk")) : null;
  });
  visitNodes(tree, (node) => {
    if (node.type === "code") fillFence(node);
    if (node.type === "root" || !isElement(node)) return;
    if (node.name === "Step") prepareStep(node);
    if (node.name === "LanguagePicker") checkPicker(node);
  });
}
