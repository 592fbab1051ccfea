import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import type { Plugin } from "vite";
import { highlight } from "./highlight.ts";

const QUERY = "?sample";
const PREFIX = "\0code-sample:";
// Without a separate ending, a sample in JSON would be taken for JSON once more.
const SUFFIX = ".js";

/** A file of code as a page shows it. */
export interface CodeSample {
  /** The code, without the line break at its end. */
  readonly text: string;
  /** The same highlighted: what goes into `<code>`. */
  readonly html: string;
}

/** Reads a file of code and highlights it. */
export async function readSample(path: string): Promise<CodeSample> {
  const text = (await readFile(path, "utf8")).trimEnd();
  return { text, html: await highlight(text, extname(path).slice(1)) };
}

/** `import sample from "./verify.py?sample"` gives a CodeSample. Highlighting happens here, so that no visitor loads Shiki. */
export function codeSamples(): Plugin {
  return {
    name: "code-samples",
    enforce: "pre",
    async resolveId(source, importer) {
      if (!source.endsWith(QUERY)) return null;
      const file = await this.resolve(source.slice(0, -QUERY.length), importer, { skipSelf: true });
      return file && `${PREFIX}${file.id}${SUFFIX}`;
    },
    async load(id) {
      if (!id.startsWith(PREFIX)) return null;
      const path = id.slice(PREFIX.length, -SUFFIX.length);
      this.addWatchFile(path);
      return `export default ${JSON.stringify(await readSample(path))};`;
    },
  };
}
