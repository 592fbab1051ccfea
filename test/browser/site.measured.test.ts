import { beforeEach, expect, test } from "vitest";
import { DATA_RELEASES, dataReleaseName } from "../../contract/data.ts";
import { statusRuns } from "../../schema.ts";
import { storeChecks } from "../../worker/status/checks.ts";
import { STATUS_MAX_AGE_SECONDS } from "../../worker/status/read-status.ts";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

beforeEach(async () => {
  await site.worker.db.delete(statusRuns);
  // The worker's cached response expires.
  await new Promise((resolve) => setTimeout(resolve, STATUS_MAX_AGE_SECONDS * 1000 + 100));
});

test("before the first measurement, the footer says so, and the landing page shows nothing", async () => {
  const page = await site.newPage();
  await openLive(page, "/");
  const card = page.locator("#why [data-measured]");
  const footer = page.locator("footer [data-measured]");
  await footer.scrollIntoViewIfNeeded();
  await footer.getByText("Verification: not measured yet").waitFor();
  expect(await card.innerText()).toBe("");
  expect(await footer.innerText()).toContain(`Data: ${dataReleaseName(DATA_RELEASES.numbering_plans)}`);
});

test("they show what was measured last, with its age, from one request", async () => {
  const at = Date.now() - 3 * 60_000;
  await storeChecks(site.worker.db, [
    { component: "verification", at, successful: true, latencyMs: 7, p95Ms: 41 },
    { component: "database", at, successful: false, latencyMs: null },
  ]);
  const page = await site.newPage();
  let asked = 0;
  page.on("request", (request) => (asked += Number(request.url().endsWith("/api/v1/status"))));
  await openLive(page, "/");
  const card = page.locator("#why [data-measured]");
  await page.locator("#why").getByText("Over 10 countries").scrollIntoViewIfNeeded();
  await card.getByText("p95 41 ms, measured 3 minutes ago").waitFor();
  const footer = page.locator("footer [data-measured]");
  await footer.scrollIntoViewIfNeeded();
  await footer.getByText("Verification: median 7 ms, p95 41 ms, measured 3 minutes ago").waitFor();
  await footer.getByRole("link", { name: "A check is failing" }).waitFor();
  expect(asked).toBe(1);
});
