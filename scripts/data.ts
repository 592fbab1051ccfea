// Writes the tables that the Worker bundles: npm run data -- [--from libphonenumber/resources] [--out DIR]
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parseArguments, runMain } from "./arguments.ts";
import { encodePrefixTable } from "./data/encode.ts";
import { encodePlanTable } from "./data/plan-table.ts";
import { NUMBERING_PLAN_VERSION } from "../worker/phone/verify.ts";
import { readPackage, readResources, type Source } from "./data/source.ts";

const DEFAULT_OUT = join(import.meta.dirname, "../worker/phone/data");

/** Encodes the numbering plans and the tables of a source: file name to bytes. */
export function encodeTables({ dataVersion, carrier, location, timeZones }: Source): Map<string, Uint8Array> {
  return new Map([
    ["plans.bin", encodePlanTable()],
    ["carrier.bin", encodePrefixTable(carrier, dataVersion)],
    ["location.bin", encodePrefixTable(location, dataVersion)],
    ["time-zones.bin", encodePrefixTable(timeZones, dataVersion)],
  ]);
}

/** Writes the four tables as the command line says. Throws on unknown options and on a source that cannot be read. */
export function run(args: string[]): void {
  const { values } = parseArguments({
    args,
    options: { from: { type: "string" }, out: { type: "string", default: DEFAULT_OUT } },
  });
  const source = values.from === undefined ? readPackage() : readResources(values.from);
  mkdirSync(values.out, { recursive: true });
  for (const [name, bytes] of encodeTables(source)) {
    writeFileSync(join(values.out, name), bytes);
    const release = name === "plans.bin" ? NUMBERING_PLAN_VERSION : source.dataVersion;
    console.log(`${name} ${bytes.length} bytes, ${gzipSync(bytes).length} gzipped, libphonenumber ${release}`);
  }
}

if (import.meta.main) await runMain(async () => run(process.argv.slice(2)));
