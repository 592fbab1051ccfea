import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../contract/data-manifest.json" with { type: "json" };
import type { Plan } from "./plan-metadata.ts";
import { openPrefixTable } from "../../worker/phone/prefix-table.ts";
import { COMMITTED, compileResources } from "../data.ts";
import { corrected, outdatedCorrections, TEXT_CORRECTIONS } from "./corrections.ts";
import { googlePlans } from "./google-plans.ts";
import { packagePlans, PACKAGES, type PackagePlans, releasesBetween } from "./packages.ts";
import { encodePlanTable, type PlanSource } from "./plan-table.ts";
import { readResources, type Resources } from "./resources.ts";

/** Google's own files are no part of the project. */
const folder = process.env["LIBPHONENUMBER_RESOURCES"] ?? "";
if (folder === "") {
  console.log(
    "Skipped: comparing the tables with Google's files, because LIBPHONENUMBER_RESOURCES names no resources folder.",
  );
}

test("every correction of ours is in the committed tables", () => {
  const files = { carrier: "carrier.bin", location: "location.bin" } as const;
  const inTexts = TEXT_CORRECTIONS.filter(({ table }) => table !== "timeZones");
  for (const { table, prefixes, ours } of inTexts) {
    const opened = openPrefixTable(
      new Uint8Array(readFileSync(join(COMMITTED, files[table as keyof typeof files]))).buffer,
    );
    for (const prefix of prefixes) expect(opened.lookup(prefix)).toBe(ours);
  }
});

describe.skipIf(folder === "")("the files that LIBPHONENUMBER_RESOURCES names", () => {
  let resources: Resources;
  beforeAll(() => {
    resources = readResources(folder);
  });

  test("are those of the committed tables, byte for byte", () => {
    for (const [name, { bytes, release }] of compileResources(resources, packagePlans())) {
      expect(manifest[name as keyof typeof manifest].release).toBe(release);
      expect(readFileSync(join(COMMITTED, name)).equals(bytes), name).toBe(true);
    }
  });

  test("are in the tables, prefix by prefix", () => {
    for (const [table, file] of [
      ["carrier", "carrier.bin"],
      ["location", "location.bin"],
    ] as const) {
      const opened = openPrefixTable(new Uint8Array(readFileSync(join(COMMITTED, file))).buffer);
      const prefixes = corrected(table, resources);
      const wrong = [...prefixes].filter(([prefix, text]) => (opened.lookup(prefix) ?? "") !== text);
      expect(wrong).toEqual([]);
      expect(prefixes.size).toBeGreaterThan(28_000);
    }
  });

  test("still have what our corrections correct; one that upstream has caught up with can go", () => {
    expect(outdatedCorrections(resources)).toEqual([]);
  });

  test("give the plans that libphonenumber-js of the same release gives, but for what it lacks", ({ skip }) => {
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
        `Other than in libphonenumber-js, which lacks them and for which we keep those of a newer release: ${differing.join(", ") || "none"}`,
    );
    // Lengths for local numbers and formats for use inside a country are additions of ours, kept at one release.
    const changed = changedSince(theirs);
    for (const difference of differing) {
      expect(difference).toMatch(/ (localOnlyLengths|national formats)$/);
      expect(changed).toContain(difference.split(" ")[0]);
    }
    if (differing.length === 0) expect(Buffer.compare(encodePlanTable(google), encodePlanTable(theirs))).toBe(0);
  });
});

/** Each region's plan, field by field, and each calling code's formats: "ZW localOnlyLengths". */
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
    const { id } = theirs.formattingOf(callingCode);
    const inFormats = [
      ...(isDeepStrictEqual(rules.national, their.national) ? [] : [`${id} national formats`]),
      ...(isDeepStrictEqual(rules.international, their.international) ? [] : [`${id} international formats`]),
      ...(rules.extensionPrefix === their.extensionPrefix ? [] : [`${id} extension prefix`]),
    ];
    return [...inPlans, ...inFormats];
  });
  return { plans, differing };
}

/** Regions whose plans have changed since the release that our additions are of, Google's library's. */
function changedSince({ release }: PackagePlans): string[] {
  return releasesBetween(release, packagePlans("libphonenumber-js-of-google").release).flatMap(({ plans }) => plans);
}
