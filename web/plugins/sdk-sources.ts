import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { SDK_PACKAGES } from "../../contract/sdks.ts";
import type { SdkId } from "../../contract/sdks.ts";
import { sdkFiles } from "../../scripts/sdks/files.ts";
import { MANIFEST } from "../../scripts/sdks/manifest.ts";
import type { BuiltPackage } from "../../scripts/sdks/manifest.ts";

/** What the page of an SDK lists. */
export interface SdkSource {
  /** Paths within the SDK's folder. */
  readonly files: readonly string[];
  /** Of the package, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

const MODULE = "virtual:sdk-sources";

function readSources(): Readonly<Record<string, SdkSource>> {
  const built = JSON.parse(readFileSync(MANIFEST, "utf8")) as Record<SdkId, BuiltPackage>;
  return Object.fromEntries(
    SDK_PACKAGES.map(({ id }) => [id, { files: sdkFiles(id), sha256: built[id].sha256, bytes: built[id].bytes }]),
  );
}

/** `import sources from "virtual:sdk-sources"` gives a Record<SdkId, SdkSource>, as things stand when the site is built. */
export function sdkSources(): Plugin {
  return {
    name: "sdk-sources",
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
    load: (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(readSources())};` : null),
  };
}
