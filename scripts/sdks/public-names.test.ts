import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import { ROOT } from "../local/run.ts";
import { publicNames } from "./public-names.ts";

const page = readFileSync(join(ROOT, "web/content/docs/sdk-reference.mdx"), "utf8");

/** A language's section of the page. */
function panelOf(label: string): string {
  return page.split(`<Panel language="${label}">`)[1]?.split("</Panel>")[0] ?? "";
}

function codeIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);
}

describe.each(SDK_PACKAGES)("the reference of the SDK for $label", ({ id, label }) => {
  const names = publicNames(id);
  const panel = panelOf(label);

  test("has every name, client option and call option of the package", () => {
    expect(names.length).toBeGreaterThan(25);
    const words = new Set(codeIn(panel).flatMap((code) => code.split(/[^\w]+/)));
    expect(names.filter((name) => !words.has(name))).toStrictEqual([]);
  });

  test("has nothing else in the first column of its tables", () => {
    const first = [...panel.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell]) => codeIn(cell!));
    expect(first.length).toBeGreaterThan(20);
    expect(first.filter((name) => !names.includes(name))).toStrictEqual([]);
  });
});
