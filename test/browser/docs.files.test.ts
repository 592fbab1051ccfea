import { describe, expect, test } from "vitest";
import { DOC_PAGES } from "../../web/content/docs/sections.ts";
import { PATHS } from "../../web/pages.ts";
import { ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import { builtOrigin } from "../docs-samples.ts";
import { openSite } from "./site.ts";

const site = openSite();
const ORIGIN = builtOrigin();

/** Pages of the site served by another part of the product. */
const ELSEWHERE = /^\/dashboard(\/|$)/;

async function textAt(path: string): Promise<string> {
  const response = await site.fetch(path);
  expect([path, response.status]).toStrictEqual([path, 200]);
  return response.text();
}

describe.each(DOC_PAGES.map((page) => page.slug))("/docs/%s.md", (slug) => {
  test("is plain Markdown: no component, no import, no unfilled placeholder", async () => {
    const response = await site.fetch(`/docs/${slug}.md`);
    expect(response.headers.get("Content-Type")).toMatch(/^text\/markdown/);
    const text = await response.text();
    expect(text).toMatch(/^# .+\n\n.+\n/);
    const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`/g, "");
    expect(prose).not.toMatch(/<\/?[A-Z]|^import |^export |\{[A-Z"]/m);
    expect(prose).not.toMatch(/\]\(\//);
  });

  test("has the headings of its page", async () => {
    const html = /<article>[\s\S]*<\/article>/.exec(await textAt(`/docs/${slug}`))![0];
    const inPage = [...html.matchAll(/<h[23] id="([^"]+)"/g)].map((match) => match[1]!);
    const markdown = (await textAt(`/docs/${slug}.md`)).replaceAll(/```[\s\S]*?```/g, "");
    expect(markdown.match(/^#{2,3} /gm) ?? []).toHaveLength(inPage.length);
    expect(new Set(inPage).size).toBe(inPage.length);
  });
});

describe("the lists for language models", () => {
  test("llms.txt lists every page, and every address in it works", async () => {
    const text = await textAt("/llms.txt");
    expect(text).toMatch(/^# Checkline\n\n> /);
    for (const { slug } of DOC_PAGES) expect(text).toContain(`](${ORIGIN}/docs/${slug}.md)`);
    const addresses = [...text.matchAll(/https?:\/\/[^\s)]+/g)].map((match) => new URL(match[0]).pathname);
    for (const path of addresses) await textAt(path);
  });

  test("llms-full.txt contains every page whole", async () => {
    const full = await textAt("/llms-full.txt");
    for (const { slug } of DOC_PAGES) expect(full).toContain((await textAt(`/docs/${slug}.md`)).trim());
  });
});

test("the license and notices are served", async () => {
  expect(await textAt("/LICENSE.txt")).toContain("MIT License");
  expect(await textAt("/NOTICE.txt")).toContain("libphonenumber");
});

test("the contract's tables and errors are in HTML and Markdown", async () => {
  const html = await textAt("/docs/errors");
  const markdown = await textAt("/docs/errors.md");
  for (const [code, { fix }] of Object.entries(ERRORS)) {
    expect(html).toContain(`id="error-${code.toLowerCase()}"`);
    expect(markdown).toContain(`### ${code}\n`);
    expect(markdown).toContain(fix.split("`")[0]);
  }
  for (const code of Object.keys(SANDBOX_ERRORS))
    expect(await textAt("/docs/sandbox")).toContain(`error-${code.toLowerCase()}`);
});

test("no link on the site is broken, anchors included", async () => {
  const pages = new Map<string, string>();
  for (const path of PATHS) pages.set(path, await textAt(path));
  const dead: string[] = [];
  const answers = new Map<string, number>();
  for (const [from, html] of pages) {
    for (const [, href] of html.matchAll(/<a\b[^>]*\shref="([^"]*)"/g)) {
      const url = new URL(href!.replaceAll("&amp;", "&"), ORIGIN + from);
      if (url.origin !== ORIGIN || ELSEWHERE.test(url.pathname)) continue;
      const target = pages.get(url.pathname);
      if (target === undefined) {
        if (!answers.has(url.pathname)) answers.set(url.pathname, (await site.fetch(url.pathname)).status);
        if (answers.get(url.pathname) !== 200) dead.push(`${from}: ${href}`);
      } else if (url.hash && !target.includes(` id="${url.hash.slice(1)}"`)) dead.push(`${from}: ${href}`);
    }
  }
  expect(dead).toStrictEqual([]);
});

test("no address in the Markdown is broken", async () => {
  const dead: string[] = [];
  for (const { slug } of DOC_PAGES) {
    const text = (await textAt(`/docs/${slug}.md`)).replaceAll(/```[\s\S]*?```/g, "");
    for (const [, href] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
      const url = new URL(href!);
      if (url.origin !== ORIGIN || ELSEWHERE.test(url.pathname)) continue;
      // Anchors in Markdown refer to the HTML page.
      const page = url.hash === "" ? null : await textAt(url.pathname.replace(/\.md$/, ""));
      const leadsOn = page === null || page.includes(` id="${url.hash.slice(1)}"`);
      if (!leadsOn || (await site.fetch(url.pathname)).status !== 200) dead.push(`${slug}: ${href}`);
    }
  }
  expect(dead).toStrictEqual([]);
});
