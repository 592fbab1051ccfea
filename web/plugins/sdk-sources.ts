import { join } from "node:path";
import type { Plugin } from "vite";
import { sdkFiles } from "../../sdks/files.ts";
import built from "../../sdks/packages.json" with { type: "json" };
import { SDK_PACKAGES } from "../../sdks/packages.ts";
import type { Sdk } from "../../sdks/packages.ts";
import { readSample } from "./code-sample.ts";
import type { CodeSample } from "./code-sample.ts";

/** The content of an SDK's page. */
export interface SdkSource {
  /** The shortest program that uses it. */
  readonly example: CodeSample;
  /** Paths within the SDK's folder. */
  readonly files: readonly string[];
  /** Of the package, in hexadecimal. */
  readonly sha256: string;
  readonly bytes: number;
}

/** By the SDK's id. */
export type SdkSources = Readonly<Record<string, SdkSource>>;

const MODULE = "virtual:sdk-sources";

/** Besides the docs' example, verify, each SDK has a shorter one, simple; its tests run both. */
function readExample({ id, example }: Sdk): Promise<CodeSample> {
  const source = example.source.replace("verify", "simple").replace("Verify", "Simple");
  return readSample(join(import.meta.dirname, "../../sdks", id, source));
}

async function readSources(): Promise<SdkSources> {
  const sources = SDK_PACKAGES.map(async (sdk) => {
    const { sha256, bytes } = built[sdk.id];
    return [sdk.id, { example: await readExample(sdk), files: sdkFiles(sdk.id), sha256, bytes }] as const;
  });
  return Object.fromEntries(await Promise.all(sources));
}

/** `import sources from "virtual:sdk-sources"` returns SdkSources, as of when the site is built. */
export function sdkSources(): Plugin {
  return {
    name: "sdk-sources",
    resolveId: (source) => (source === MODULE ? `\0${MODULE}` : null),
    load: async (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(await readSources())};` : null),
  };
}
