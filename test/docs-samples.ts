import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { ORIGIN } from "../contract/origin.ts";

const ROOT = join(import.meta.dirname, "..");
const BUILT = join(ROOT, "web/build/client");
const BUILT_DOCS = join(BUILT, "docs");

/** Samples shared by docs pages and the landing page. Their origin is that of contract/origin.ts. */
export const SAMPLES_FOLDER = join(ROOT, "web/content/samples");

/** A fence on a docs page, from its built Markdown. */
export interface Sample {
  /** The page's slug. */
  readonly page: string;
  readonly language: string;
  readonly title: string;
  readonly code: string;
  /** The next fence, unless a heading other than "Response" is in between. */
  readonly next: { readonly language: string; readonly title: string; readonly code: string } | null;
}

const FENCE = /^```(\w*)([^\n]*)\n([\s\S]*?)\n?^```$|^#{1,6} (?!Response$).*$/gm;

/** A page's fences in order, including those in quotes, such as callouts. */
function samplesOf(page: string, markdown: string): Sample[] {
  const plain = markdown.replaceAll(/^> ?/gm, "");
  const parts = [...plain.matchAll(FENCE)].map(([whole, language, meta, code]) => {
    const isHeading = !whole.startsWith("```");
    return {
      isHeading,
      language: language ?? "",
      title: /title="([^"]*)"/.exec(meta ?? "")?.[1] ?? "",
      code: code ?? "",
    };
  });
  return parts.flatMap(({ isHeading, language, title, code }, index) => {
    const after = parts[index + 1];
    const next = after === undefined || after.isHeading ? null : after;
    return isHeading ? [] : [{ page, language, title, code, next }];
  });
}

/** The origin that the site was built for: the constant, or that of the local run that last built it. */
export function builtOrigin(): string {
  return /^Sitemap: (.*)\/sitemap\.xml$/m.exec(readFileSync(join(BUILT, "robots.txt"), "utf8"))![1]!;
}

/** Every page's Markdown by slug, with the origin of contract/origin.ts. */
export function builtPages(): ReadonlyMap<string, string> {
  if (!existsSync(BUILT_DOCS)) throw new Error("The site is not built: run npm run build first.");
  const files = readdirSync(BUILT_DOCS).filter((name) => name.endsWith(".md"));
  const read = (name: string) => readFileSync(join(BUILT_DOCS, name), "utf8").replaceAll(builtOrigin(), ORIGIN);
  return new Map(files.map((name) => [name.slice(0, -".md".length), read(name)]));
}

/** Every fence of the docs. */
export function builtSamples(): Sample[] {
  return [...builtPages()].flatMap(([page, markdown]) => samplesOf(page, markdown));
}

/** JSON without what differs per run or with any table: the worker's version, and the digest of the data. */
function parseAnswer(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    if (name === "version_id") return typeof value;
    return name === "data_version" ? String(value).replace(/\+[\da-f]{6}$/, "") : value;
  });
}

/**
 * Compares a response with the page's version: all of it, or the remaining part if the title says that it is shortened.
 */
export function expectSameJson(answer: unknown, { title, code }: Pick<Sample, "title" | "code">): void {
  const shown = parseAnswer(code);
  const given = parseAnswer(JSON.stringify(answer));
  if (title.includes("shortened")) expect(given).toMatchObject(shown as object);
  else expect(given).toStrictEqual(shown);
}

/** Code adapted to call another server. */
export function withOrigin(code: string, origin: string): string {
  return code.replaceAll(ORIGIN, origin);
}

/** A sample's name in tests. */
export function nameOf({ page, title, code }: Pick<Sample, "page" | "title" | "code">): string {
  return `${page}: ${title || "untitled"}: ${code.split("\n")[0]!.slice(0, 60)}`;
}
