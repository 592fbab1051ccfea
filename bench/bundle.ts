import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { build } from "vite";

/** A module in one file, as it would be deployed, and the data files that it imports. */
export interface Bundle {
  readonly code: string;
  readonly data: ReadonlyMap<string, Uint8Array>;
}

/**
 * Bundles a module with all that it imports. Imports of *.bin stay imports, from beside the bundle; `replaced` gives modules another
 * source text, by their path.
 */
export async function bundle(entry: string, replaced: ReadonlyMap<string, string> = new Map()): Promise<Bundle> {
  const data = new Map<string, Uint8Array>();
  const result = await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true, target: "webworker" },
    build: { ssr: entry, write: false, minify: true, target: "es2024" },
    plugins: [
      {
        name: "data-files",
        enforce: "pre",
        async resolveId(source, importer) {
          if (!source.endsWith(".bin")) return null;
          const file = await this.resolve(source, importer, { skipSelf: true });
          data.set(basename(source), await readFile(file!.id));
          return { id: `./${basename(source)}`, external: true };
        },
        load: (id) => replaced.get(id),
      },
    ],
  });
  if (!("output" in result)) throw new Error(`${entry} gave no bundle`);
  return { code: result.output[0].code, data };
}

/** Writes a bundle for Node, where it reads its data files itself; returns the path to import. */
export async function writeForNode({ code, data }: Bundle): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "checkline-bench-"));
  for (const [file, bytes] of data) await writeFile(join(folder, file), bytes);
  const reading = code.replaceAll(
    /import (\w+) from"(\.\/[\w-]+\.bin)";/g,
    'const $1=new Uint8Array(readFileSync(new URL("$2",import.meta.url))).buffer;',
  );
  const path = join(folder, "bundle.mjs");
  await writeFile(path, `import{readFileSync}from"node:fs";${reading}`);
  return path;
}
