import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PAGES } from "../pages.ts";

/** The pages' addresses, for search engines. Neither dates nor priorities: they would be made up. */
function sitemap(origin: string): string {
  const urls = PAGES.filter((page) => page.inSitemap).map(
    ({ path }) => `  <url><loc>${new URL(path, origin)}</loc></url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    "</urlset>",
    "",
  ].join("\n");
}

/** Writes sitemap.xml, and the robots.txt that points at it. */
export async function writeCrawlerFiles(client: string, origin: string): Promise<void> {
  await writeFile(join(client, "sitemap.xml"), sitemap(origin));
  await writeFile(join(client, "robots.txt"), `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap.xml\n`);
}
