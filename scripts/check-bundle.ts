/** Says how large the built worker is, and fails when it is larger than it may be: `npm run build:worker` runs it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { ROOT } from "./local/run.ts";

/** Cold starts load all of it. */
const MAX_GZIP_BYTES = 1_000_000;
const FOLDER = join(ROOT, "build/worker");

const files = readdirSync(FOLDER).filter((name) => name.endsWith(".js") || name.endsWith(".bin"));
const bytes = files
  .map((name) => gzipSync(readFileSync(join(FOLDER, name))).length)
  .reduce((sum, size) => sum + size, 0);
console.log(`Worker bundle: ${bytes} bytes gzipped in ${files.length} files, of ${MAX_GZIP_BYTES} allowed`);
if (files.length === 0 || bytes > MAX_GZIP_BYTES) process.exitCode = 1;
