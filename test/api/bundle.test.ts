import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { ROOT } from "../../scripts/local/run.ts";
import { bundle } from "../runtime.ts";

/** Every cold start loads all of it, and the platform's free plan allows 3 MB. */
const MAX_GZIP_BYTES = 2_500_000;

test("the worker is small enough, with its tables", async () => {
  const { code, data } = await bundle(join(ROOT, "worker/index.ts"));
  const sizes = [code, ...data.values()].map((part) => gzipSync(part).length);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  console.log(`Worker: ${bytes} bytes gzipped`);
  expect(bytes).toBeGreaterThan(500_000);
  expect(bytes).toBeLessThan(MAX_GZIP_BYTES);
});
