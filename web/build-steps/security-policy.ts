import { createHash } from "node:crypto";
import { glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Frame-ancestors is missing because a meta element cannot say it; the `_headers` file does. */
const DIRECTIVES = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self' 'unsafe-inline'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "object-src": "'none'",
};

const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/gi;
const CHARSET = /<meta charset="utf-8"\s*\/?>/i;

/** The hash sources of a page's inline scripts, each once, in their order; blocks of data are never run and need none. */
function inlineScriptHashes(html: string): string[] {
  const inline = [...html.matchAll(SCRIPT)].filter(([, attributes = ""]) => !/\ssrc\s*=|json"/i.test(attributes));
  const hashes = inline.map(([, , code = ""]) => {
    // The browser hashes what it parsed, and parsing turns every line end into a line feed.
    const parsed = code.replaceAll(/\r\n?/g, "\n");
    return `'sha256-${createHash("sha256").update(parsed).digest("base64")}'`;
  });
  return [...new Set(hashes)];
}

/**
 * The page with its policy as a meta element behind the charset: scripts of this site, and the inline ones it was built with.
 * @throws Error when the policy would come too late, behind a script.
 */
export function withSecurityPolicy(html: string): string {
  const hashes = inlineScriptHashes(html);
  const policy = Object.entries(DIRECTIVES)
    .map(([name, sources]) => [name, sources, ...(name === "script-src" ? hashes : [])].join(" "))
    .join("; ");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}"/>`;
  const charset = CHARSET.exec(html);
  if (charset === null || /<script\b/i.test(html.slice(0, charset.index))) {
    throw new Error("A page must begin with its charset, and have no script before it.");
  }
  const end = charset.index + charset[0].length;
  return html.slice(0, end) + meta + html.slice(end);
}

/** Gives every HTML file under the folder its policy. */
export async function addSecurityPolicies(folder: string): Promise<void> {
  for await (const name of glob("**/*.html", { cwd: folder })) {
    const path = join(folder, name);
    await writeFile(path, withSecurityPolicy(await readFile(path, "utf8")));
  }
}
