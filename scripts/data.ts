// Writes the tables that the Worker bundles, as described in `usage`.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { countryName } from "../contract/country-names.ts";
import { REGISTER_COUNTRIES, registerFile } from "../contract/registers.ts";
import type { ShortNumberPatterns } from "../worker/phone/short-numbers.ts";
import { parseArguments, runMain } from "./arguments.ts";
import {
  type Change,
  changeLines,
  entryChanges,
  planChanges,
  prefixChanges,
  shortNumberChanges,
} from "./data/changes.ts";
import { namesDigest, namesToLookUp, outdatedNames, withTodaysNames } from "./data/carriers.ts";
import { compileCountries } from "./data/countries.ts";
import { readPlanTable } from "../worker/phone/plan-table.ts";
import { correctedAreas, outdatedCorrections } from "./data/corrections.ts";
import { encodePrefixTable } from "./data/encode.ts";
import { portableRegions } from "./data/google-plans.ts";
import { type PackagePlans, packagePlans } from "./data/packages.ts";
import { encodePlanTable } from "./data/plan-table.ts";
import { rejectedLosses } from "./data/losses.ts";
import { executeHere, refresh } from "./data/refresh.ts";
import type { RegisterProvenance } from "./data/registers/compile.ts";
import { figureLines, figuresOf } from "./data/registers/figures.ts";
import { invalidRanges } from "./data/registers/invalid-ranges.ts";
import {
  type Compiled,
  compileDownloads,
  compileFolder,
  type LastTable,
  type RegisterTable,
} from "./data/registers/registers.ts";
import { readResources, type Resources } from "./data/resources.ts";
import { compileShortNumbers } from "./data/short-numbers.ts";
import { TZDB, zonesByCountry } from "./data/time-zones.ts";
import { ZONE_TABLE, zonesByPrefix } from "./data/zone-rules.ts";

export const COMMITTED = join(import.meta.dirname, "../worker/phone/data");
/** Next to what the site reads. With other folders, the manifest is next to the tables. */
const COMMITTED_MANIFEST = join(import.meta.dirname, "../contract/data-manifest.json");
const CHANGES = join(import.meta.dirname, "../build/data-changes.md");
const DOWNLOADS = join(import.meta.dirname, "../build/registers");

const USAGE = `npm run data -- [--from FOLDER] [--registers FOLDER | --download] [--out DIR] [--accept-losses]
npm run data -- --refresh [--from FOLDER]

Compiles the numbering plans from the installed libphonenumber-js, the time zones from scripts/data/zones, and with --from everything else
from the resources folder of a libphonenumber checkout. With --registers, compiles the regulators' registers in a folder; those that it lacks
or that aren't as expected stay as they are. --download first downloads those that have an address, to build/registers, and takes a register
once it's a month newer or a hundredth of it changed. Writes what changed to build/data-changes.md. Rejects large losses unless you pass
--accept-losses.

--refresh first installs the newest libphonenumber-js that is seven days old and, without --from, checks out Google's newest release. It
downloads the registers too. Afterward, it updates the sample results and runs the tests of the engine and its data.
`;

/** Where a table comes from. The manifest is keyed by file name. */
interface Provenance {
  readonly source: string;
  /** Of libphonenumber or tzdb. */
  readonly release: string;
  /** Of the release; null if the source doesn't give one. */
  readonly date: string | null;
  /** Of the rows of carriers.tsv with which a table was compiled. */
  readonly names_sha256?: string;
}
type Manifest = Record<string, (Provenance | RegisterProvenance) & { readonly sha256: string }>;

interface Table extends Provenance {
  readonly bytes: Uint8Array;
}

/** Compiles the tables from npm: the plans, and the zones by country. */
export function compilePackages(plans: PackagePlans): Map<string, Table> {
  const { source, release, date } = plans;
  const regions = Object.keys(plans.metadata.countries);
  return new Map([
    ["plans.bin", { source, release, date, bytes: encodePlanTable(plans) }],
    ["country-zones.json", { ...TZDB, date: null, bytes: encodeJson(zonesByCountry(regions)) }],
  ]);
}

/** Compiles a resources folder, except the plans. */
export function compileResources(resources: Resources): Map<string, Table> {
  const { release, date } = resources;
  const prefixes = {
    "carrier.jsonl": withTodaysNames(resources.carrier),
    "location.jsonl": correctedAreas(resources.location),
  };
  const files = [
    ...Object.entries(prefixes).map(([name, of]) => [name, Buffer.from(encodePrefixTable(of, release))] as const),
    ["short-numbers.json", encodeJson(compileShortNumbers(resources.shortNumberMetadata))] as const,
    ["portability.json", encodeJson(portableRegions(resources.metadata))] as const,
  ];
  const source = { source: "libphonenumber resources", release, date };
  return new Map(
    files.map(([name, bytes]) => {
      const names = name === "carrier.jsonl" ? { names_sha256: namesDigest() } : {};
      return [name, { ...source, ...names, bytes }];
    }),
  );
}

/** Compiles our table of time zones with the places of the location table. */
export function compileZones(locationTable: string): Map<string, Table> {
  const bytes = Buffer.from(encodePrefixTable(zonesByPrefix(locationTable), ZONE_TABLE.release));
  return new Map([["time-zones.jsonl", { ...ZONE_TABLE, bytes }]]);
}

/** The committed tables' countries, one per line. */
function countryLines(plans: PackagePlans): string {
  return compileCountries(COMMITTED, plans)
    .map((country) => `${JSON.stringify(country)}\n`)
    .join("");
}

/**
 * Writes the tables according to the command line; returns the list of changes. Throws on unknown options, unreadable
 * sources, and losses.
 */
export async function run(args: string[]): Promise<string> {
  const { values } = parseArguments({
    args,
    options: {
      from: { type: "string" },
      registers: { type: "string" },
      download: { type: "boolean", default: false },
      out: { type: "string", default: COMMITTED },
      "accept-losses": { type: "boolean", default: false },
    },
  });
  const plans = packagePlans();
  const resources = values.from === undefined ? null : readResources(values.from);
  const ofResources = resources === null ? new Map<string, Table>() : compileResources(resources);
  const locations = ofResources.get("location.jsonl")?.bytes ?? readFileSync(join(COMMITTED, "location.jsonl"));
  const others = new Map([
    ...compilePackages(plans),
    ...ofResources,
    ...compileZones(Buffer.from(locations).toString()),
  ]);
  const changes = new Map(
    [...others].flatMap(([name, { bytes }]) => {
      const path = join(values.out, name);
      return existsSync(path) ? [[name, changesIn(name, readFileSync(path), bytes, plans)] as const] : [];
    }),
  );
  const reviews: [title: string, lines: readonly string[]][] =
    resources === null
      ? []
      : [
          ["Corrections of ours that Google has caught up with", outdatedCorrections(resources.location)],
          ["Rows of carriers.tsv that no longer apply", outdatedNames(resources.carrier)],
          ["Carrier names to look up", namesToLookUp()],
        ];
  const rejected = [...changes].flatMap(([name, list]) => rejectedLosses(name, list));
  if (rejected.length > 0 && !values["accept-losses"]) {
    throw new Error(`${rejected.join("\n")}\nIf this is right, add --accept-losses.`);
  }
  const registers = await compileRegisters(values);
  write(values.out, new Map<string, Table | RegisterTable>([...others, ...(registers?.tables ?? [])]));
  // Derived from the other tables, so it has no source or entry in the manifest.
  if (values.out === COMMITTED) writeFileSync(join(COMMITTED, "countries.jsonl"), countryLines(plans));
  const sections = [summary(changes, plans, reviews)];
  if (registers !== null) {
    const carriers = Buffer.from(
      ofResources.get("carrier.jsonl")?.bytes ?? readFileSync(join(COMMITTED, "carrier.jsonl")),
    );
    const planTable = readPlanTable(new Uint8Array(others.get("plans.bin")!.bytes).buffer);
    const compiled = REGISTER_COUNTRIES.flatMap((country) => {
      const table = registers.tables.get(registerFile(country));
      return table ? [[country, Buffer.from(table.bytes).toString()] as const] : [];
    });
    const figures = compiled.flatMap(([country, file]) => figuresOf(country, file, carriers.toString(), planTable));
    const waiting = registers.waiting.map((line) => `- ${line}`);
    sections.push(`## Registers\n\n${[...figureLines(figures), "", ...waiting].join("\n")}\n`);
    const invalid = compiled.flatMap(([country, file]) => invalidRanges(country, file, planTable));
    if (invalid.length > 0)
      sections.push(`## Assigned ranges without a valid number\n\n${invalid.map((line) => `- ${line}\n`).join("")}`);
    if (registers.rejected.length > 0) {
      const lines = registers.rejected.join("\n");
      // A publisher's failure doesn't stop the weekly run.
      if (!values.download) throw new Error(`${lines}\nTheir old tables stay; all others were written.`);
      console.error(`${lines}\nTheir old tables stay.`);
      sections.push(`## Registers that were rejected: their old tables stay\n\n- ${lines.replaceAll("\n", "\n- ")}\n`);
    }
  }
  return sections.join("\n");
}

/** The registers of `--registers` or `--download`; null without either. */
function compileRegisters(values: {
  readonly registers?: string;
  readonly download: boolean;
  readonly out: string;
  readonly "accept-losses": boolean;
}): Promise<Compiled> | null {
  const manifest = readManifest(manifestOf(values.out));
  const last = (file: string): LastTable | undefined => {
    const path = join(values.out, file);
    if (!existsSync(path)) return undefined;
    const { date, rows } = (manifest[file] ?? { date: "", rows: 0 }) as RegisterProvenance;
    return { date, rows: values["accept-losses"] ? 0 : rows, table: readFileSync(path, "utf8") };
  };
  if (values.registers !== undefined) return compileFolder(values.registers, last);
  return values.download ? compileDownloads(DOWNLOADS, last) : null;
}

function manifestOf(out: string): string {
  return out === COMMITTED ? COMMITTED_MANIFEST : join(out, "manifest.json");
}

function readManifest(path: string): Manifest {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Manifest) : {};
}

function write(out: string, tables: ReadonlyMap<string, Table | RegisterTable>): void {
  mkdirSync(out, { recursive: true });
  const path = manifestOf(out);
  const manifest = readManifest(path);
  for (const [name, { bytes, ...provenance }] of tables) {
    writeFileSync(join(out, name), bytes);
    manifest[name] = { ...provenance, sha256: createHash("sha256").update(bytes).digest("hex") };
    const from = "source" in provenance ? `${provenance.source} ${provenance.release}` : `of ${provenance.date}`;
    console.log(`${name} ${bytes.length} bytes, ${gzipSync(bytes).length} gzipped, ${from}`);
  }
  const inOrder = Object.entries(manifest).toSorted(([a], [b]) => a.localeCompare(b));
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`);
}

function changesIn(name: string, before: Uint8Array, after: Uint8Array, plans: PackagePlans): Change[] {
  if (name === "plans.bin") return planChanges(new Uint8Array(before).buffer, new Uint8Array(after).buffer);
  const [old, young] = [before, after].map((bytes) => Buffer.from(bytes).toString()) as [string, string];
  if (name.endsWith(".jsonl")) return prefixChanges(old, young, plans.callingCodes());
  const [oldJson, youngJson] = [old, young].map((json) => JSON.parse(json) as unknown);
  if (name === "short-numbers.json") {
    return shortNumberChanges(oldJson as ShortNumberPatterns, youngJson as ShortNumberPatterns);
  }
  return entryChanges(entriesOf(oldJson), entriesOf(youngJson));
}

/** Entries of a list of countries, or of lists by country. */
function entriesOf(json: unknown): Readonly<Record<string, readonly string[]>> {
  if (!Array.isArray(json)) return json as Record<string, string[]>;
  return Object.fromEntries(json.map((country: string) => [country, [country]]));
}

function summary(
  changes: ReadonlyMap<string, readonly Change[]>,
  plans: PackagePlans,
  reviews: readonly (readonly [title: string, lines: readonly string[]])[],
): string {
  const sections = Array.from(changes, ([name, list]): [title: string, lines: readonly string[]] => {
    const lines = changeLines(list, (place) => nameOf(place, plans));
    return [`${name}: ${lines.length === 0 ? "nothing" : lines.length} changed`, lines];
  });
  const reviewed = reviews.filter(([, lines]) => lines.length > 0);
  return [...sections, ...reviewed]
    .map(([title, lines]) => `## ${title}\n\n${lines.map((line) => `- ${line}\n`).join("")}`)
    .join("\n");
}

/** Formats "+44 United Kingdom, Guernsey, Isle of Man and 1 more", "Switzerland". */
function nameOf(place: string, plans: PackagePlans): string {
  if (!place.startsWith("+")) return countryName(place) ?? "International";
  const names = plans.plansOfCallingCode(place.slice(1)).map(({ region }) => countryName(region) ?? "International");
  const more = names.length - MOST_NAMES;
  return `${place} ${names.slice(0, MOST_NAMES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Twenty-five countries have the calling code 1. */
const MOST_NAMES = 3;

/** A list on one line, or one country per line, so diffs are readable. */
function encodeJson(value: object): Uint8Array {
  if (Array.isArray(value)) return Buffer.from(`${JSON.stringify(value)}\n`);
  const lines = Object.entries(value).map(([key, of]) => `${JSON.stringify(key)}:${JSON.stringify(of)}`);
  return Buffer.from(`{\n${lines.join(",\n")}\n}\n`);
}

if (import.meta.main) {
  await runMain(
    async () => {
      const args = process.argv.slice(2);
      if (args.includes("--refresh")) {
        const others = args.filter((arg) => arg !== "--refresh");
        return refresh(others, executeHere);
      }
      const changes = await run(args);
      console.log(changes);
      mkdirSync(dirname(CHANGES), { recursive: true });
      writeFileSync(CHANGES, changes);
    },
    { usage: USAGE },
  );
}
