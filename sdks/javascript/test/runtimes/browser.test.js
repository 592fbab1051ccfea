import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { testCases } from "../cases.js";
import { helper, repository, skip } from "./repository.js";
import { serveSite } from "./site.js";

const RUN = "javascript-browser";
const { findChromium, launchChromium } = repository ? await helper("test/browser/chromium.ts") : {};
const found = repository ? await findChromium() : { chromium: null, reason: skip };
let browser;
let site;
let page;

before(async () => {
  if (found.chromium === null) return;
  site = await serveSite();
  browser = await launchChromium(found.chromium);
  page = await browser.newPage();
  await page.goto(site.url);
});
after(async () => {
  await browser?.close();
  await site?.close();
  await found.remove?.();
});

/** The case with the page's own origin instead of the suite's: the suite rejects other sites' pages. */
function ownOrigin(each) {
  return { ...each, base_url: each.base_url.replace(/^http:\/\/[^/]+(?=\/play\/)/, new URL(site.url).origin) };
}

async function perform(each) {
  const report = await page.evaluate(async (given) => {
    const [sdk, { carryOut }] = await Promise.all([import("checkline"), import("/test/suite.js")]);
    return carryOut(sdk, given);
  }, ownOrigin(each));
  const status = site.redirects.get(each.id);
  if (status === undefined) return report;
  // Browsers hide redirects, so the status must be null. The suite gets the hidden one.
  const { error } = report;
  assert.equal(error.status, null);
  return { ...report, error: { ...error, status } };
}

if (found.chromium === null) {
  test("in a browser", { skip: found.reason });
} else {
  // First, because it waits: the hooks above end when all tests known by then have ended.
  await testCases(RUN, perform);
  test("in a browser the key must be passed", async () => {
    const told = await page.evaluate(async () => {
      const { Checkline } = await import("checkline");
      try {
        return String(new Checkline());
      } catch (error) {
        return String(error);
      }
    });
    assert.match(told, /^TypeError: No API key/);
  });
}
