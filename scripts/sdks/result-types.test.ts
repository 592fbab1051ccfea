import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../local/run.ts";
import { resultTypes } from "./result-types.ts";

test("the SDKs' types of results follow from the contract (npm run build:sdks writes them)", async () => {
  const files = await resultTypes();
  const stale = files.filter(([path, text]) => readFileSync(path, "utf8") !== text);
  expect(stale.map(([path]) => relative(ROOT, path))).toStrictEqual([]);
});
