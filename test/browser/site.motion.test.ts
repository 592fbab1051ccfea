import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

/**
 * Running animations, except scroll-driven ones. A page's own, if motion is allowed at all, end within three seconds.
 */
const MOVING =
  "document.getAnimations().filter((one) => one.playState === 'running' && one.timeline === document.timeline).length";

/** Leaves a lookup without a response, which shows spinners and pulses. */
async function askInVain(page: Page): Promise<() => void> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/api/v1/demo/lookup", async (route) => {
    await gate.promise;
    await route.fulfill({
      json: {
        valid: false,
        number: null,
        reason: "NOT_A_NUMBER",
        suggestion: null,
        short_code: null,
        deliverability: { flags: [] },
      },
    });
  });
  await page.getByLabel("Phone number").fill("nothing");
  await page.locator("#demo").getByRole("button", { name: "Verify" }).click();
  await page.getByText("Verifying…").waitFor();
  return gate.resolve;
}

describe("motion", () => {
  test("is on by default", async () => {
    const page = await site.newPage({ reducedMotion: false });
    await openLive(page);
    const answer = await askInVain(page);
    await expect.poll(() => page.evaluate<number>(MOVING)).toBeGreaterThan(0);
    answer();
    await page.getByText("reason: NOT_A_NUMBER").waitFor();
  });

  test("stops with reduced motion, spinners included", async () => {
    const page = await site.newPage({ reducedMotion: true });
    await openLive(page);
    await expect.poll(() => page.evaluate<number>(MOVING)).toBe(0);
    const answer = await askInVain(page);
    await expect.poll(() => page.evaluate<number>(MOVING)).toBe(0);
    answer();
    await page.getByText("reason: NOT_A_NUMBER").waitFor();
    await expect.poll(() => page.evaluate<number>(MOVING)).toBe(0);
  });
});
