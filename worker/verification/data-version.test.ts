import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import manifest from "../../contract/data-manifest.json" with { type: "json" };
import { DATA_VERSION, dataVersionOf } from "./data-version.ts";

test("is the plans' release and the first digits of the manifest's SHA-256", () => {
  const file = readFileSync("contract/data-manifest.json");
  const digest = createHash("sha256").update(file).digest("hex");
  expect(DATA_VERSION).toBe(`${manifest["plans.bin"].release}+${digest.slice(0, 6)}`);
});

test.each(Object.keys(manifest) as (keyof typeof manifest)[])("changes with %s", (table) => {
  const sha256 = `${manifest[table].sha256.slice(0, -1)}x`;
  const changed = { ...manifest, [table]: { ...manifest[table], sha256 } };
  expect(dataVersionOf(changed)).not.toBe(DATA_VERSION);
});
