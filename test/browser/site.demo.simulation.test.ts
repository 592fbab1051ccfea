import { describe, expect, test } from "vitest";
import { demoOf, openDemoAtRest } from "./demo.ts";
import { openSite } from "./site.ts";

const site = openSite();

describe("the simulation", () => {
  test("calls a number too short only once the field is left", async () => {
    const page = await openDemoAtRest(site);
    const { field, badge, verdict } = demoOf(page);
    await field.fill("+551198765");
    await page.clock.runFor(1000);
    await expect.poll(() => badge.innerText()).toBe("Keep typing");
    expect(await verdict.innerText()).toBe("Format must be + followed by 10–15 digits.");
    expect(await field.getAttribute("aria-invalid")).toBe("false");
    await field.blur();
    await expect.poll(() => badge.innerText()).toBe("Invalid");
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    // More digits would not help.
    await field.fill("abc");
    await page.clock.runFor(1000);
    await expect.poll(() => badge.innerText()).toBe("Invalid");
    expect(await page.locator("#demo input:focus").count()).toBe(1);
  });
});

describe("a number is rechecked", () => {
  test("420 ms after it has changed, not after 400", async () => {
    const page = await openDemoAtRest(site);
    const { field, badge } = demoOf(page);
    await field.fill("+5511987654321");
    await expect.poll(() => badge.innerText()).toBe("Checking");
    await page.clock.runFor(400);
    await page.waitForTimeout(100);
    await expect.poll(() => badge.innerText()).toBe("Checking");
    await page.clock.runFor(30);
    await expect.poll(() => badge.innerText()).toBe("Looks valid");
  });
});
