import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SDK_VERSION } from "../../contract/sdks.ts";
import { SDK_PACKAGES, sdkWithId } from "../../sdks/packages.ts";
import type { SdkId } from "../../sdks/packages.ts";
import { ROOT } from "../local/run.ts";
import { PACKAGES } from "./manifest.ts";

/**
 * The immutable releases: by version, the SHA-256 of each package in hexadecimal. Written by `npm run publish:sdk --
 * record`.
 */
export const RELEASED_FILE = join(ROOT, "sdks/released.json");

export type Released = Readonly<Record<string, Readonly<Record<string, string>>>>;

export function readReleased(): Released {
  return JSON.parse(readFileSync(RELEASED_FILE, "utf8")) as Released;
}

/** The SHA-256 of a served package, in hexadecimal; null if there is none. */
export function servedDigest(id: SdkId, version: string): string | null {
  const file = join(PACKAGES, sdkWithId(id).file.replaceAll(SDK_VERSION, version));
  return existsSync(file) ? createHash("sha256").update(readFileSync(file)).digest("hex") : null;
}

/** Problems with released versions, one sentence each: packages that are missing or changed. */
export function brokenReleases(
  released: Released,
  digestOf: (id: SdkId, version: string) => string | null = servedDigest,
): string[] {
  return Object.entries(released).flatMap(([version, digests]) =>
    SDK_PACKAGES.flatMap(({ id }) => {
      const now = digestOf(id, version);
      if (digests[id] === undefined) return [`${id} ${version} is not in sdks/released.json.`];
      if (now === null) return [`${id} ${version} is released, but its package is missing.`];
      return now === digests[id]
        ? []
        : [`${id} ${version} is released, but its bytes have changed. Raise SDK_VERSION.`];
    }),
  );
}

/**
 * The list with a version's packages added. @throws Error if the version is already in it with other bytes, or a
 * package is missing.
 */
export function withRelease(
  released: Released,
  version: string,
  digestOf: (id: SdkId, version: string) => string | null = servedDigest,
): Released {
  const digests = Object.fromEntries(
    SDK_PACKAGES.map(({ id }) => {
      const digest = digestOf(id, version);
      if (digest === null) throw new Error(`There is no package of ${id} ${version}: npm run build:sdks.`);
      return [id, digest];
    }),
  );
  const broken = released[version] === undefined ? [] : brokenReleases({ [version]: released[version] }, digestOf);
  if (broken.length > 0) throw new Error(broken.join(" "));
  return { ...released, [version]: digests };
}
