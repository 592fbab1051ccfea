import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Prefixes } from "./encode.ts";
import { readXml, type XmlElement } from "./xml.ts";

/** The contents of libphonenumber's `resources` folder. */
export interface Resources {
  /** Of libphonenumber: "9.0.35". */
  readonly release: string;
  /** The release date: "2026-07-16". */
  readonly date: string;
  readonly carrier: Prefixes;
  readonly location: Prefixes;
  readonly metadata: XmlElement;
  readonly shortNumberMetadata: XmlElement;
}

/**
 * Reads the `resources` folder of a libphonenumber checkout: lines of `prefix|text`, comments after #, and the metadata
 * in XML. Throws an Error with file and line.
 */
export function readResources(directory: string): Resources {
  function readFolder(name: string): Prefixes {
    const prefixes = new Map<string, string>();
    for (const path of filesIn(join(directory, name, "en"), ".txt")) addLines(prefixes, path);
    return prefixes;
  }
  return {
    ...releaseOf(directory),
    carrier: readFolder("carrier"),
    location: readFolder("geocoding"),
    metadata: readXml(readFileSync(join(directory, "PhoneNumberMetadata.xml"), "utf8")),
    shortNumberMetadata: readXml(readFileSync(join(directory, "ShortNumberMetadata.xml"), "utf8")),
  };
}

function addLines(prefixes: Map<string, string>, path: string): void {
  for (const [i, line] of readFileSync(path, "utf8").split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const where = `${path}:${i + 1}`;
    const match = /^([0-9]{1,15})\|(.*)$/.exec(decoded(line).trim());
    if (match === null) throw new Error(`${where}: expected prefix|text, found ${JSON.stringify(line)}`);
    const [, prefix, text] = match as unknown as [string, string, string];
    if (prefixes.has(prefix)) throw new Error(`${where}: duplicate prefix ${prefix}`);
    prefixes.set(prefix, text.trim());
  }
}

/** Undoes UTF-8 read as Latin-1, as in "TelefÃ³nica". Other texts beyond ASCII aren't valid UTF-8 by their codes. */
export function decoded(text: string): string {
  if (!/^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text)) return text;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      Uint8Array.from(text, (one) => one.charCodeAt(0)),
    );
  } catch {
    return text;
  }
}

function filesIn(directory: string, extension: string): string[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(extension));
  if (names.length === 0) throw new Error(`${directory} has no ${extension} files`);
  return names.toSorted().map((name) => join(directory, name));
}

/**
 * From next to the folder: Google's release notes, newest first, or a RELEASE.txt with "release 9.0.35 (2026-07-16)".
 */
function releaseOf(directory: string): { readonly release: string; readonly date: string } {
  const [notes, said] = ["release_notes.txt", "RELEASE.txt"].map((name) => {
    const path = join(directory, "..", name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  });
  const noted = /^(\w+ \d+, \d{4}): (?:v|libphonenumber-)(\d+\.\d+\.\d+)/m.exec(notes!);
  if (noted !== null) return { release: noted[2]!, date: new Date(`${noted[1]} UTC`).toISOString().slice(0, 10) };
  const stated = /release (\d+\.\d+\.\d+) \((\d{4}-\d\d-\d\d)\)/.exec(said!);
  if (stated !== null) return { release: stated[1]!, date: stated[2]! };
  throw new Error(`Neither release_notes.txt nor RELEASE.txt beside ${directory} identifies its release`);
}
