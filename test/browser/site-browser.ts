import type { Browser } from "playwright-core";
import { openWorker } from "../worker.ts";
import { findChromium, launchChromium } from "./chromium.ts";

/**
 * Runs `work` with a Chromium and the address of the built site, served with an empty database.
 * @throws Error when there is no Chromium
 */
export async function withSite(work: (browser: Browser, origin: string) => Promise<void>): Promise<void> {
  const found = await findChromium();
  if (found.chromium === null) throw new Error(found.reason);
  const worker = await openWorker();
  try {
    const browser = await launchChromium(found.chromium);
    await work(browser, new URL(worker.url).origin);
    await browser.close();
  } finally {
    await worker.close();
    await found.remove();
  }
}
