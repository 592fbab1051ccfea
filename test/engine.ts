import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openTables } from "../worker/phone/geography.ts";
import { createVerifier } from "../worker/phone/verify.ts";

const DATA = join(import.meta.dirname, "../worker/phone/data");

function table(name: string): ArrayBuffer {
  return new Uint8Array(readFileSync(join(DATA, name))).buffer;
}

/** The engine with the tables it is deployed with, outside the worker. */
export const verify = createVerifier(
  openTables({ carrier: table("carrier.bin"), location: table("location.bin"), timeZones: table("time-zones.bin") }),
);
