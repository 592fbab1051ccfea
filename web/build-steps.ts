import { createHash } from "node:crypto";
import { cp, glob, mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ORIGIN } from "../contract/origin.ts";
import { sdkFiles, sdkFolder } from "../sdks/files.ts";
import { SDK_PACKAGES, sdkWithId } from "../sdks/packages.ts";
import { contactsAt } from "./content/contact.ts";
import { INDEXED_PATHS } from "./pages.ts";
import { STORED_AS } from "./lib/session/token.ts";
import { casesFile } from "./plugins/cases.ts";
import { docFile, docFileNames } from "./plugins/docs/files.ts";

/**
 * The origin in canonical links, social cards, and the sitemap: `PUBLIC_ORIGIN`, as in the worker, or the constant.
 * @throws Error if the variable isn't an origin. A path or trailing slash would end up in every address.
 */
export function siteOrigin(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const origin = env["PUBLIC_ORIGIN"] || ORIGIN;
  if (!URL.canParse(origin) || new URL(origin).origin !== origin) {
    throw new Error(`PUBLIC_ORIGIN must be an origin such as https://example.com, not ${JSON.stringify(origin)}.`);
  }
  return origin;
}

/**
 * The styles that the toast library inserts, as an empty element that it then fills. After an upgrade, the browser's
 * complaint contains the new hash.
 */
const TOAST_STYLES = [
  "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "'sha256-StEaX+se6YS7pqjzrzMIA0KaX9zF/8zAhvQXZAe5epY='",
];

/**
 * Meta elements don't support frame-ancestors, so it's in `_headers`. Style elements are files or allowed by hash. Style
 * attributes can't be: each page shows code that was highlighted on another page, with attributes.
 */
const DIRECTIVES = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "style-src-elem": ["'self'", ...TOAST_STYLES].join(" "),
  "style-src-attr": "'unsafe-inline'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "object-src": "'none'",
};

const INLINE_SCRIPT = /<script\b(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi;
const STYLE_ELEMENT = /<style\b[^>]*>([\s\S]*?)<\/style>/gi;
const CHARSET = /<meta charset="utf-8"\s*\/?>/i;

/** The distinct hash sources of a page's inline code, in order. */
function hashSources(html: string, element: RegExp): string[] {
  const hashes = Array.from(html.matchAll(element), ([, code = ""]) => {
    // Browsers hash parsed text, in which every line ending is a line feed.
    const parsed = code.replaceAll(/\r\n?/g, "\n");
    return `'sha256-${createHash("sha256").update(parsed).digest("base64")}'`;
  });
  return [...new Set(hashes)];
}

/**
 * Adds to a page what must come before its scripts.
 * @throws Error if there is no charset, or a script before it
 */
function afterCharset(html: string, added: string): string {
  const charset = CHARSET.exec(html);
  if (charset === null || /<script\b/i.test(html.slice(0, charset.index))) {
    throw new Error("A page must start with its charset, without a script before it.");
  }
  const end = charset.index + charset[0].length;
  return html.slice(0, end) + added + html.slice(end);
}

/** Adds the page's policy as a meta element: this site's scripts and styles, and the page's inline ones. */
function withSecurityPolicy(html: string): string {
  const hashes: Partial<Record<string, string[]>> = {
    "script-src": hashSources(html, INLINE_SCRIPT),
    "style-src-elem": hashSources(html, STYLE_ELEMENT),
  };
  const policy = Object.entries(DIRECTIVES)
    .map(([name, sources]) => [name, sources, ...(hashes[name] ?? [])].join(" "))
    .join("; ");
  return afterCharset(html, `<meta http-equiv="Content-Security-Policy" content="${policy}"/>`);
}

/**
 * Without a session, a page of the dashboard becomes the login page before its code is fetched, as its shell would do
 * later. `usr` is the router's state, which leads back after the login; the router expects a key beside it.
 */
const LOGIN_FIRST = `<script>try {
  if (localStorage.getItem("${STORED_AS}") === null) {
    const { pathname, search, hash } = location;
    const from = { pathname, search, hash, state: history.state?.usr };
    history.replaceState({ key: "default", ...history.state, usr: { from } }, "", "/login");
    stop();
    location.reload();
  }
} catch {}</script>`;

/** Lets the styles and fonts, which a page needs to be seen, arrive before its scripts. */
function withLateScripts(html: string): string {
  return html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');
}

/** Adds their policies to the HTML files in the folder, the order in which their files load, and the dashboard's guard. */
async function completePages(folder: string): Promise<void> {
  for await (const name of glob("**/*.html", { cwd: folder })) {
    const path = join(folder, name);
    const html = await readFile(path, "utf8");
    const guarded = name.startsWith("dashboard") ? afterCharset(html, LOGIN_FIRST) : html;
    await writeFile(path, withLateScripts(withSecurityPolicy(guarded)));
  }
}

/** The pages' addresses, for search engines. Dates and priorities would be made up. */
function sitemap(origin: string): string {
  const urls = INDEXED_PATHS.map((path) => `  <url><loc>${new URL(path, origin)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

/** security.txt (RFC 9116): where to report a vulnerability. Its required expiry date must be under a year ahead. */
function securityTxt(origin: string): string {
  const expires = new Date(Date.now() + 360 * 86_400_000).toISOString();
  const canonical = `${origin}/.well-known/security.txt`;
  return `Contact: mailto:${contactsAt(origin).security}\nExpires: ${expires}\nCanonical: ${canonical}\nPreferred-Languages: en\n`;
}

/** Writes sitemap.xml, the robots.txt that points to it, and security.txt. */
async function writeWellKnownFiles(client: string, origin: string): Promise<void> {
  await writeFile(join(client, "sitemap.xml"), sitemap(origin));
  await writeFile(join(client, "robots.txt"), `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`);
  await mkdir(join(client, ".well-known"), { recursive: true });
  await writeFile(join(client, ".well-known/security.txt"), securityTxt(origin));
}

/** Serves the license and the notices, which the terms and the about page name. */
async function copyLicenses(client: string): Promise<void> {
  for (const name of ["LICENSE", "NOTICE"]) {
    await cp(join(import.meta.dirname, "..", name), join(client, `${name}.txt`));
  }
}

/** Writes the docs as Markdown, their lists for language models, and the search index. */
async function writeDocsFiles(client: string, origin: string): Promise<void> {
  for (const name of docFileNames()) {
    const path = join(client, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await docFile(name, origin));
  }
}

/** Copies the SDKs' sources, which their pages link to, into the site. */
async function copySdkSources(client: string): Promise<void> {
  for (const { id } of SDK_PACKAGES) {
    for (const file of sdkFiles(id)) {
      await cp(join(sdkFolder(id), file), join(client, "sdks/source", id, file));
    }
  }
}

/**
 * Serves the module's location to the go command, and leads browsers to its docs:
 * https://go.dev/ref/mod#serving-from-proxy
 */
async function writeGoModule(client: string, origin: string): Promise<void> {
  const module = sdkWithId("go").registry.package;
  const path = join(client, module.slice(module.indexOf("/")), "index.html");
  await mkdir(dirname(path), { recursive: true });
  await writeFile(
    path,
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<title>${module}</title>
<meta name="robots" content="noindex"/>
<meta http-equiv="refresh" content="0; url=/docs/sdks#go"/>
<meta name="go-import" content="${module} mod ${origin}/sdks/go"/>
</head>
<body>
<h1>${module}</h1>
<p><a href="/docs/sdks#go">The Checkline SDK for Go</a></p>
</body>
</html>
`,
  );
}

/** Completes React Router's build in a folder: policies, and the files next to the pages. */
export async function finishBuild(client: string): Promise<void> {
  const origin = siteOrigin();
  await writeGoModule(client, origin);
  await completePages(client);
  await writeWellKnownFiles(client, origin);
  await writeDocsFiles(client, origin);
  await copySdkSources(client);
  await copyLicenses(client);
  await writeFile(join(client, "cases.json"), casesFile(origin));
}
