import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verify } from "../../test/engine.ts";
import { offsetsOf } from "../../test/offsets.ts";

/** Of valid numbers: the location, and the offsets from UTC on January 15 and July 15 of the zones it may be in. */
const CASES = readFileSync(join(import.meta.dirname, "time-zones.cases.tsv"), "utf8")
  .trimEnd()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t") as [number: string, location: string, offsets: string, source: string]);

it.each(CASES)("the clock of %s in %s is right (%s: %s)", (number, location, offsets) => {
  const result = verify(number);
  expect(result).toMatchObject({ valid: true, location });
  expect(offsetsOf(result.time_zones)).toEqual(offsets.split(" ").toSorted());
});
