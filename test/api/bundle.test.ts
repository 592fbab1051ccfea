import { expect, test } from "vitest";
import { MAX_WORKER_BYTES, workerBytes } from "../../bench/size.ts";

test("the worker is small enough, with its tables", async () => {
  const bytes = await workerBytes();
  expect(bytes).toBeGreaterThan(500_000);
  expect(bytes).toBeLessThan(MAX_WORKER_BYTES);
});
