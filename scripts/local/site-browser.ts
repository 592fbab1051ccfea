import { findChromium } from "../../test/browser/chromium.ts";
import type { Chromium } from "../../test/browser/chromium.ts";
import { openWorker } from "../../test/worker.ts";

/**
 * Runs `work` with a Chromium and the built site, served with an empty database.
 * @param url a running site to use instead
 * @throws Error when there is no Chromium
 */
export async function withSite(
  url: string | undefined,
  work: (origin: string, chromium: Chromium) => Promise<void>,
): Promise<void> {
  const found = await findChromium();
  if (found.chromium === null) throw new Error(found.reason);
  const worker = url === undefined ? await openWorker() : null;
  try {
    await work(new URL(url ?? worker!.url).origin, found.chromium);
  } finally {
    await worker?.close();
    await found.remove();
  }
}
