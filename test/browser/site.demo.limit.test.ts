import { expect, test } from "vitest";
import { DEMO_LOOKUPS_PER_MINUTE } from "../../contract/limits.ts";
import { demoOf, LOOK_UP, openDemoAtRest } from "./demo.ts";
import { openSite } from "./site.ts";

const site = openSite();

function secondsOn(label: string): number {
  return Number(/^Try again in (\d+) s$/.exec(label)?.[1] ?? 0);
}

test("after the last one the button counts down the seconds, and then works again", { timeout: 120_000 }, async () => {
  site.expectProblem(/^answer 429: .*\/demo\/lookup$/);
  const page = await openDemoAtRest(site);
  const { field, button, answer, section } = demoOf(page);
  await field.fill("+44 20 7946 0018");
  for (let left = DEMO_LOOKUPS_PER_MINUTE - 1; left >= 0; left -= 1) {
    await button.click();
    await answer.getByText(`${left} ${left === 1 ? "lookup" : "lookups"} left this minute`).waitFor();
  }
  await button.click();
  await section.getByText(`You’ve hit the demo limit of ${DEMO_LOOKUPS_PER_MINUTE} lookups per minute.`).waitFor();
  const first = secondsOn(await button.innerText());
  expect(first).toBeGreaterThan(0);
  expect(first).toBeLessThanOrEqual(60);
  await expect.poll(() => button.isDisabled()).toBe(true);

  for (let left = first; left > 1; left -= 1) {
    await page.clock.runFor(1000);
    await expect.poll(() => button.innerText()).toBe(`Try again in ${left - 1} s`);
  }
  await page.clock.runFor(1000);
  await expect.poll(() => button.innerText()).toBe("Verify");
  await expect.poll(() => button.isEnabled()).toBe(true);

  // The server's own minute follows the real clock.
  await site.worker.env.DB.prepare("DELETE FROM sign_in_attempts").run();
  await button.click();
  await answer.getByText(`${DEMO_LOOKUPS_PER_MINUTE - 1} lookups left this minute`).waitFor();
});

test("Enter does nothing while the button counts down", async () => {
  site.expectProblem(/^answer 429: .*\/demo\/lookup$/);
  const page = await openDemoAtRest(site);
  const { field, button } = demoOf(page);
  let asked = 0;
  await page.route(LOOK_UP, (route) => {
    asked += 1;
    return route.fulfill({ status: 429, headers: { "Retry-After": "3" }, json: { error: "Too many." } });
  });
  await field.fill("+44 20 7946 0018");
  await field.press("Enter");
  await expect.poll(() => button.innerText()).toBe("Try again in 3 s");
  await field.press("Enter");
  await page.clock.runFor(1000);
  await expect.poll(() => button.innerText()).toBe("Try again in 2 s");
  await field.press("Enter");
  await page.waitForTimeout(200);
  expect(asked).toBe(1);
});
