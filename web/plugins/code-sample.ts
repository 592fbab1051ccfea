import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Plugin } from "vite";
import { highlight } from "./highlight.ts";

const QUERY = "?sample";
const PREFIX = "\0code-sample:";
// Without its own extension, a JSON sample would be processed as JSON again.
const SUFFIX = ".js";

/** A code file as shown on a page. */
export interface CodeSample {
  /** Its name: "verify.py". */
  readonly file: string;
  /** The code, without the final line break. */
  readonly text: string;
  /** The highlighted code: the content of `<code>`. */
  readonly html: string;
}

/** Reads a file of code and highlights it. */
export async function readSample(path: string): Promise<CodeSample> {
  const text = (await readFile(path, "utf8")).trimEnd();
  return { file: basename(path), text, html: await highlight(text, extname(path).slice(1)) };
}

/**
 * `import sample from "./verify.py?sample"` returns a CodeSample. Highlighted at build time, so that no visitor loads
 * Shiki.
 */
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
