import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { INDEXED_PATHS, PATHS } from "../../web/pages.ts";
import { builtOrigin } from "../docs-samples.ts";
import { openSite } from "./site.ts";

const CLIENT = join(import.meta.dirname, "../../web/build/client");
const FOREVER = "public, max-age=31536000, immutable";
const CHECK_FIRST = "public, max-age=0, must-revalidate";
const ORIGIN = builtOrigin();
/** Opened through links in emails, with a token in the address. */
const LINKED = new Set(["/reset-password", "/verify-account", "/confirm-email", "/undo-email-change"]);

const site = openSite();

/** Attribute values of matching elements, like `/(<meta name="x")…content="(…)"/` would find them. */
function contents(html: string, start: string, attribute = "content"): string[] {
  return html
    .split(start)
    .slice(1)
    .map((rest) => new RegExp(`${attribute}="([^"]*)"`).exec(rest.split(">")[0]!)?.[1] ?? "");
}

describe.each([...PATHS, "/no-such-page"])("%s", (path) => {
  test("comes with the headers that protect it", async () => {
    const { headers } = await site.fetch(path);
    expect(Object.fromEntries(headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "content-security-policy": "frame-ancestors 'none'",
      "cross-origin-opener-policy": "same-origin",
      "referrer-policy": LINKED.has(path) ? "no-referrer" : "strict-origin-when-cross-origin",
      "strict-transport-security": "max-age=31536000; includeSubDomains",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cache-control": CHECK_FIRST,
    });
  });

  test("has its policy before any script, and does not allow inline scripts in general", async () => {
    const html = await (await site.fetch(path)).text();
    const policies = contents(html, '<meta http-equiv="Content-Security-Policy"');
    expect(policies).toHaveLength(1);
    expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<script"));
    const scripts = /script-src ([^;]*)/.exec(policies[0]!)?.[1];
    expect(scripts).toMatch(/^'self'( 'sha256-[\w+/=]+')+$/);
    expect(policies[0]).toContain("default-src 'none'");
    expect(policies[0]).toContain("style-src 'self';");
    expect(/style-src-elem ([^;]*)/.exec(policies[0]!)?.[1]).toMatch(/^'self'( 'sha256-[\w+/=]+')+$/);
  });
});

test("a page's scripts give way to its styles and fonts", async () => {
  for (const path of ["/", "/docs/verify", "/login"]) {
    const html = await (await site.fetch(path)).text();
    const priorities = contents(html, '<link rel="modulepreload"', "fetchpriority");
    expect(priorities.length, path).toBeGreaterThan(3);
    expect(new Set(priorities), path).toStrictEqual(new Set(["low"]));
  }
});

test("an unchanged page is not sent again", async () => {
  const etag = (await site.fetch("/")).headers.get("ETag");
  expect(etag).toBeTruthy();
  const again = await site.fetch("/", { headers: { "If-None-Match": etag! } });
  expect(again.status).toBe(304);
});

describe("the files of a page", () => {
  test("are cached permanently if they are fonts, and otherwise checked for changes", async () => {
    const names = await readdir(join(CLIENT, "assets"));
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) {
      const { status, headers } = await site.fetch(`/assets/${name}`);
      const caching = name.endsWith(".woff2") ? FOREVER : CHECK_FIRST;
      expect([name, status, headers.get("Cache-Control")]).toStrictEqual([name, 200, caching]);
    }
  });

  test("when they are gone, the 404 is not cached", async () => {
    const { status, headers } = await site.fetch("/assets/home-of-another-version.js");
    expect([status, headers.get("Cache-Control")]).toStrictEqual([404, CHECK_FIRST]);
  });
});

describe("search engines and previews", () => {
  test("get an address, the card, and its own title and description for each page", async () => {
    const heads = await Promise.all(
      PATHS.map(async (path) => {
        const html = await (await site.fetch(path)).text();
        const title = /<title>([^<]+)<\/title>/.exec(html)?.[1];
        const url = `${ORIGIN}${path}`;
        expect(contents(html, '<link rel="canonical"', "href")).toStrictEqual([url]);
        expect(contents(html, '<meta property="og:url"')).toStrictEqual([url]);
        expect(contents(html, '<meta property="og:title"')).toStrictEqual([title]);
        expect(contents(html, '<meta property="og:image"')).toStrictEqual([`${ORIGIN}/social-card.png`]);
        expect(contents(html, '<meta name="twitter:card"')).toStrictEqual(["summary_large_image"]);
        const [description = ""] = contents(html, '<meta name="description"');
        expect(description.length).toBeGreaterThan(20);
        return { title, description };
      }),
    );
    expect(new Set(heads.map((head) => head.title)).size).toBe(PATHS.length);
    expect(new Set(heads.map((head) => head.description)).size).toBe(PATHS.length);
  });

  test("get one card, of the size that the pages give", async () => {
    const card = await site.fetch("/social-card.png");
    expect([card.status, card.headers.get("Content-Type")]).toStrictEqual([200, "image/png"]);
    const bytes = Buffer.from(await card.arrayBuffer());
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toStrictEqual([1200, 630]);
  });

  test("find every public page in the sitemap, and nothing else", async () => {
    const sitemap = await (await site.fetch("/sitemap.xml")).text();
    const listed = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map((match) => new URL(match[1]!));
    expect(listed.map((url) => url.href)).toStrictEqual(INDEXED_PATHS.map((path) => `${ORIGIN}${path}`));
    for (const { pathname } of listed) expect((await site.fetch(pathname)).status).toBe(200);
  });

  test("find the sitemap in robots.txt", async () => {
    const robots = await (await site.fetch("/robots.txt")).text();
    expect(robots).toContain(`Sitemap: ${ORIGIN}/sitemap.xml`);
  });

  test("find in security.txt whom to contact, until less than a year after the build", async () => {
    const response = await site.fetch("/.well-known/security.txt");
    expect(response.headers.get("Content-Type")).toMatch(/^text\/plain; ?charset=utf-8$/i);
    const [contact, expires, ...rest] = (await response.text()).split("\n");
    expect([contact, ...rest]).toStrictEqual([
      `Contact: mailto:security@${new URL(ORIGIN).hostname}`,
      `Canonical: ${ORIGIN}/.well-known/security.txt`,
      "Preferred-Languages: en",
      "",
    ]);
    const left = Date.parse(expires!.replace("Expires: ", "")) - Date.now();
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(365 * 86_400_000);
  });
});
