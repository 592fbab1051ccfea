import type { TestProject } from "vitest/node";
import { findChromium } from "./chromium.ts";
import type { Chromium } from "./chromium.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The browser of this run, or why there is none. */
    chromium: Chromium | { readonly missing: string };
  }
}

/** Unpacks the browser once for all files of a run, and removes it at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const found = await findChromium();
  if (found.chromium === null) {
    console.warn(`Browser tests are skipped. ${found.reason}`);
    project.provide("chromium", { missing: found.reason });
    return async () => {};
  }
  project.provide("chromium", found.chromium);
  return found.remove;
}
