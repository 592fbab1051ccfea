import manifest from "../../contract/data-manifest.json" with { type: "json" };
import { sha256Hex } from "../platform/hash.ts";

/** The digest of a manifest's file, as `sha256sum` prints it. */
function digestOf(tables: object): string {
  return sha256Hex(`${JSON.stringify(tables, null, 2)}\n`);
}

/** The version of a manifest's tables: the plans' release, and the first digits of its digest. "9.0.43+3f9c1a" */
export function dataVersionOf(tables: typeof manifest): string {
  return `${tables["plans.bin"].release}+${digestOf(tables).slice(0, 6)}`;
}

/** The version of the tables behind every result, for the header `Data-Version`. */
export const DATA_VERSION = dataVersionOf(manifest);
