import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { docFile, docFileNames } from "../plugins/docs/files.ts";

/** Writes the docs as Markdown, the lists of them for language models, and the index of their search. */
export async function writeDocsFiles(client: string, origin: string): Promise<void> {
  for (const name of docFileNames()) {
    const path = join(client, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, await docFile(name, origin));
  }
}
