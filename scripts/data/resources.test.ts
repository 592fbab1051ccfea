import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../contract/data-manifest.json" with { type: "json" };
import type { Plan } from "./plan-metadata.ts";
import { openPrefixTable, type TableBlock } from "../../worker/phone/prefix-table.ts";
import { COMMITTED, compileResources } from "../data.ts";
import { withTodaysNames } from "./carriers.ts";
import { correctedAreas, outdatedCorrections, TEXT_CORRECTIONS } from "./corrections.ts";
import { googlePlans } from "./google-plans.ts";
import { packagePlans, PACKAGES, type PackagePlans, releasesBetween } from "./packages.ts";
import { encodePlanTable, type PlanSource } from "./plan-table.ts";
import { decoded, readResources, type Resources } from "./resources.ts";

/** Google's files aren't part of the project. */
const folder = process.env["LIBPHONENUMBER_RESOURCES"] ?? "";
if (folder === "") {
  console.log(
    "Skipped: comparing the tables with Google's files, because LIBPHONENUMBER_RESOURCES names no resources folder.",
  );
}

const tables = Object.fromEntries(
  Object.entries({ carrier: "carrier.jsonl", location: "location.jsonl" }).map(([table, file]) => [
    table,
    openPrefixTable(readFileSync(join(COMMITTED, file), "utf8")),
  ]),
);

test("texts in a wrong encoding are repaired, and no others", () => {
  expect(decoded("569436|TelefÃ³nica")).toBe("569436|Telefónica");
  expect(decoded("IngenierÃ­a, Ã\u00a0")).toBe("Ingeniería, à");
  for (const right of ["Telefónica", "São Paulo", "Ã", "Kölbi’s Ã³", "МТС"]) expect(decoded(right)).toBe(right);
});

test.each(["carrier.jsonl", "location.jsonl"])("%s has no text in a wrong encoding", (file) => {
  const wrong = readFileSync(join(COMMITTED, file), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .flatMap((block) => (JSON.parse(block) as TableBlock).texts)
    .filter((text) => text !== null && decoded(text) !== text);
  expect(wrong).toEqual([]);
});

// Our text, or Google's newer one. If Google has no entry, the shorter prefix's would apply.
test.each(TEXT_CORRECTIONS)("the committed areas don't have Google's error in $prefixes", ({ prefixes, google }) => {
  for (const prefix of prefixes) {
    const { lookup } = tables["location"]!;
    expect(lookup(prefix)).not.toBe(google ?? lookup(prefix.slice(0, -1)));
  }
});

describe("a correction that Google has made too", () => {
  const areas = (now: string) =>
    new Map(
      TEXT_CORRECTIONS.flatMap(({ prefixes, google }) =>
        prefixes.flatMap((prefix) => (google === null ? [] : [[prefix, google] as const])),
      ),
    ).set("772752", now);

  test("is omitted, and all others apply", () => {
    const location = correctedAreas(areas("Otegen Batyr, by Google"));
    expect(location.get("772752")).toBe("Otegen Batyr, by Google");
    expect(location.get("772725")).toBe("Almaty");
  });

  test("is reported", () => {
    expect(outdatedCorrections(areas("Otegen Batyra"))).toEqual([]);
    expect(outdatedCorrections(areas("Otegen Batyr"))).toEqual([
      'location 772752: "Otegen Batyra" is now "Otegen Batyr"',
    ]);
  });
});

describe.skipIf(folder === "")("the files in LIBPHONENUMBER_RESOURCES", () => {
  let resources: Resources;
  beforeAll(() => {
    resources = readResources(folder);
  });

  test("match the committed tables byte for byte", () => {
    for (const [name, { bytes, release }] of compileResources(resources)) {
      expect(manifest[name as keyof typeof manifest]).toMatchObject({ release });
      expect(readFileSync(join(COMMITTED, name)).equals(bytes), name).toBe(true);
    }
  });

  test("are in the tables, prefix by prefix", () => {
    const compiled = { carrier: withTodaysNames(resources.carrier), location: correctedAreas(resources.location) };
    for (const [table, prefixes] of Object.entries(compiled)) {
      const { lookup } = tables[table]!;
      const wrong = [...prefixes].filter(([prefix, text]) => (lookup(prefix) ?? "") !== text);
      expect(wrong).toEqual([]);
      expect(prefixes.size).toBeGreaterThan(28_000);
    }
  });

  test("produce the plans of the same libphonenumber-js release, except for what it lacks", ({ skip }) => {
    const theirs = PACKAGES.map((name) => packagePlans(name)).find(({ release }) => release === resources.release);
    if (theirs === undefined) {
      const reason = `no installed libphonenumber-js is of ${resources.release}`;
      console.log(`Skipped: comparing the plans, because ${reason}.`);
      return skip(reason);
    }
    const google = googlePlans(resources.metadata);
    expect(google.callingCodes()).toEqual(theirs.callingCodes());
    const { plans, differing } = comparePlans(google, theirs);
    console.log(
      `Plans of Google's XML and of ${theirs.source}, both ${resources.release}: ${plans} compared. ` +
        `Other than in libphonenumber-js, which lacks them and for which we take those of Google's library: ${differing.join(", ") || "none"}`,
    );
    // Local-only lengths and national-only formats come from Google's library, of another release.
    const changed = changedSince(theirs);
    for (const difference of differing) {
      expect(difference).toMatch(/ (localOnlyLengths|national formats)$/);
      expect(changed).toContain(difference.split(" ")[0]);
    }
    if (differing.length === 0) expect(Buffer.compare(encodePlanTable(google), encodePlanTable(theirs))).toBe(0);
  });
});

/** Compares each region's plan, field by field, and each calling code's formats: "ZW localOnlyLengths". */
function comparePlans(google: PlanSource, theirs: PackagePlans): { plans: number; differing: string[] } {
  let plans = 0;
  const differing = theirs.callingCodes().flatMap((callingCode) => {
    const byRegion = new Map(theirs.plansOfCallingCode(callingCode).map((plan) => [plan.region, plan]));
    const ours = google.plansOfCallingCode(callingCode);
    plans += ours.length;
    expect(ours.map(({ region }) => region)).toEqual([...byRegion.keys()]);
    const inPlans = ours.flatMap((plan) =>
      (Object.keys(plan) as (keyof Plan)[])
        .filter((field) => !isDeepStrictEqual(plan[field], byRegion.get(plan.region)![field]))
        .map((field) => `${plan.region} ${field}`),
    );
    const [rules, their] = [google.formatRulesOf(callingCode), theirs.formatRulesOf(callingCode)];
    const id = ours[0]!.region;
    const inFormats = [
      ...(isDeepStrictEqual(rules.national, their.national) ? [] : [`${id} national formats`]),
      ...(isDeepStrictEqual(rules.international, their.international) ? [] : [`${id} international formats`]),
      ...(rules.extensionPrefix === their.extensionPrefix ? [] : [`${id} extension prefix`]),
    ];
    return [...inPlans, ...inFormats];
  });
  return { plans, differing };
}

/** Regions with plans that changed between the release and that of Google's library. */
function changedSince({ release }: PackagePlans): string[] {
  return releasesBetween(release, packagePlans("libphonenumber-js-of-google").release).flatMap(({ plans }) => plans);
}
