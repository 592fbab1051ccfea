import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import type { Plugin } from "vitest/config";

/** Imports of data files are ArrayBuffers and strings, like wrangler's (wrangler.toml). */
const dataModules: Plugin = {
  name: "data-modules",
  // Otherwise, Vite makes addresses of text files.
  enforce: "pre",
  load(id) {
    if (/\.(jsonl|txt)$/.test(id)) return `export default ${JSON.stringify(readFileSync(id, "utf8"))};`;
    if (!id.endsWith(".bin")) return null;
    return `import { readFileSync } from "node:fs";\nexport default new Uint8Array(readFileSync(${JSON.stringify(id)})).buffer;`;
  },
};

/** For ledgers in this process. */
const runtime = { "cloudflare:workers": fileURLToPath(import.meta.resolve("./test/durable-object.ts")) };

/** Same as in the shared worker: hashes from here are checked there. */
const cheapScrypt = {
  alias: { ...runtime, "node:crypto": fileURLToPath(import.meta.resolve("./test/cheap-scrypt.ts")) },
};

/** `TEST_DAY=2027-03-01` runs the tests on another day than today. */
const clock = { setupFiles: ["test/day.ts"] };

const ORACLES = ["worker/**/*.oracle.test.ts"];

/** A stalled machine may lose a race once; a real fault loses it again. On main, `.ci/run` fails for a second try. */
const RETRY = 1;

// test/long.ts reads the mode.
const form = process.argv.includes("--mode=long")
  ? "long forms"
  : "short forms, and their variations are skipped; npm run test:long runs all";
console.log(`Tests with sweeps and random trials run in their ${form}.`);

export default defineConfig({
  test: {
    projects: [
      {
        plugins: [dataModules],
        resolve: { alias: runtime },
        test: {
          name: "unit",
          include: ["{contract,worker,scripts,web,sdks/conformance}/**/*.test.ts"],
          exclude: ORACLES,
          // Sharing modules across files halves the time. Tests leave nothing behind in them.
          isolate: false,
          // Same as the others, so that the projects run in parallel.
          maxWorkers: 2,
          testTimeout: 60_000,
          ...clock,
        },
      },
      {
        // The engine on the numbering plans of google-libphonenumber's release, which may be older than ours.
        resolve: { alias: { "libphonenumber-js/max/metadata": "libphonenumber-js-of-google/max/metadata" } },
        test: {
          name: "oracle",
          include: ORACLES,
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          ...clock,
        },
      },
      {
        plugins: [dataModules],
        resolve: cheapScrypt,
        test: {
          name: "api",
          include: ["test/api/**/*.test.ts"],
          // The files of a process share one workerd; more processes than cores would only slow everything down.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          ...clock,
          hookTimeout: 120_000,
          retry: RETRY,
          expect: { poll: { timeout: 20_000, interval: 40 } },
        },
      },
      {
        plugins: [dataModules],
        resolve: cheapScrypt,
        test: {
          name: "isolate",
          include: ["test/isolate/**/*.test.ts"],
          // As above: each isolate is an object, not a set of modules.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          ...clock,
          hookTimeout: 120_000,
        },
      },
      {
        resolve: { alias: runtime },
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          globalSetup: "test/browser/setup.ts",
          // The files of a process share one workerd and one browser.
          isolate: false,
          maxWorkers: 2,
          testTimeout: 60_000,
          ...clock,
          hookTimeout: 120_000,
          retry: RETRY,
          // For busy machines; nothing waits for the full timeout.
          expect: { poll: { timeout: 15_000, interval: 40 } },
        },
      },
    ],
  },
});
