import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SANDBOX_SUCCESSES } from "../../contract/sandbox.ts";
import { openTables } from "../../worker/phone/geography.ts";
import { createVerifier } from "../../worker/phone/verify.ts";
import { SPECIMENS } from "./specimens.ts";

function table(name: string): ArrayBuffer {
  return new Uint8Array(readFileSync(join(import.meta.dirname, "../../worker/phone/data", name))).buffer;
}

test("the specimens are the engine's answers to the sandbox's valid numbers", () => {
  const verify = createVerifier(
    openTables({ carrier: table("carrier.bin"), location: table("location.bin"), timeZones: table("time-zones.bin") }),
  );
  expect(SPECIMENS).toEqual(SANDBOX_SUCCESSES.map(({ number }) => verify(number)));
});
