/** Prints the size of the built worker, and fails when it exceeds the limit. Run by `npm run build:worker`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "./local/run.ts";

/** Cold starts load all of it. */
const MAX_GZIP_BYTES = 2_500_000;
const FOLDER = join(ROOT, "build/worker");

// Tables of earlier builds stay in the folder, so measure only what the code imports.
const code = readFileSync(join(FOLDER, "index.js"), "utf8");
const files = readdirSync(FOLDER).filter(
  (name) => name === "index.js" || (/\.(bin|jsonl|txt)$/.test(name) && code.includes(name)),
);
const bytes = files
  .map((name) => gzipSync(readFileSync(join(FOLDER, name))).length)
  .reduce((sum, size) => sum + size, 0);
console.log(`Worker bundle: ${bytes} bytes gzipped in ${files.length} files, of ${MAX_GZIP_BYTES} allowed`);
if (bytes > MAX_GZIP_BYTES) process.exitCode = 1;
