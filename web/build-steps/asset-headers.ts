import { appendFile, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Cloudflare reads 100 rules and ignores the others. The file in public/ has its own. */
const MAX_ASSET_RULES = 95;

const FOREVER = "Cache-Control: public, max-age=31536000, immutable";

/**
 * Lets browsers keep every file of assets/ for good: its name changes with its content. One rule each and none for `/assets/*`,
 * because rules look at the address only: the 404 for a file of another version would be kept for good as well.
 */
export async function addAssetHeaders(client: string): Promise<void> {
  const names = await readdir(join(client, "assets"));
  const files = await Promise.all(
    names.map(async (name) => ({ name, size: (await stat(join(client, "assets", name))).size })),
  );
  const largest = files.toSorted((a, b) => b.size - a.size).slice(0, MAX_ASSET_RULES);
  if (largest.length < files.length) {
    console.warn(
      `${files.length - largest.length} small assets get no rule in _headers: they are checked at each use.`,
    );
  }
  const rules = largest.map(({ name }) => `/assets/${name}\n  ${FOREVER}\n`);
  await appendFile(join(client, "_headers"), `\n${rules.join("\n")}`);
}
