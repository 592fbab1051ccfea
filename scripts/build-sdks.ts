import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SDK_VERSION } from "../contract/sdks.ts";
import { ROOT } from "./local/run.ts";
import { describePackage, MANIFEST, PACKAGES } from "./sdks/manifest.ts";
import type { BuiltPackage } from "./sdks/manifest.ts";
import { writeResultTypes } from "./sdks/result-types.ts";
import { readReleased } from "./sdks/released.ts";
import { chosenToolchains, prepare } from "./sdks/toolchains.ts";

/**
 * npm run build:sdks [-- LANGUAGE…]: writes the SDKs' types of results, and builds the packages into web/public/sdks,
 * from which the site serves them. With PUBLIC_ORIGIN they call the service there by default.
 */
await writeResultTypes();
const staging = join(ROOT, "build/sdks");
const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as Record<string, BuiltPackage>;
rmSync(staging, { recursive: true, force: true });

for (const toolchain of chosenToolchains(process.argv.slice(2))) {
  const { id } = toolchain;
  const out = join(staging, id);
  mkdirSync(out, { recursive: true });
  try {
    await prepare(toolchain);
    await toolchain.build(out);
    const made = describePackage(id, out);
    const released = readReleased()[SDK_VERSION]?.[id];
    if (released !== undefined && released !== made.sha256) {
      throw new Error(`${SDK_VERSION} is released, and its bytes never change. Raise SDK_VERSION.`);
    }
    manifest[id] = made;
    cpSync(out, PACKAGES, { recursive: true });
    console.log(`${id}: ${made.bytes} bytes`);
  } catch (error) {
    process.exitCode = 1;
    console.error(`${id}: not built, keeping the existing package. ${error instanceof Error ? error.message : error}`);
  }
}
writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`);
