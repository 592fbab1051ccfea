import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { longTest } from "../long.ts";
import { demoOf, openDemoAtRest } from "./demo.ts";
import { openSite } from "./site.ts";

const site = openSite();
const WAITING = "Enter a number to begin simulation.";

/** The simulation's badge; empty if it has none. */
async function badgeOf(page: Page): Promise<string> {
  return (await demoOf(page).badge.allInnerTexts()).join("");
}

/**
 * The simulation's output for the number at the start of each row: message, badge, whether it is marked invalid.
 */
async function simulateAll(page: Page, rows: readonly string[][]): Promise<string[][]> {
  const { field, verdict } = demoOf(page);
  const made: string[][] = [];
  for (const [number = ""] of rows) {
    await field.fill(number);
    await page.clock.runFor(1000);
    await expect.poll(() => badgeOf(page)).not.toBe("Checking");
    const invalid = (await field.getAttribute("aria-invalid")) ?? "";
    made.push([number, await verdict.innerText(), await badgeOf(page), invalid]);
  }
  return made;
}

describe("the simulation", () => {
  test("starts by waiting for a number", async () => {
    const page = await openDemoAtRest(site);
    const { verdict, field } = demoOf(page);
    await expect.poll(() => verdict.innerText()).toBe(WAITING);
    await expect.poll(() => badgeOf(page)).toBe("");
    await expect.poll(() => field.getAttribute("aria-invalid")).toBe("false");
  });

  test("rejects anything but 10 to 15 digits after a plus sign, and too many zeros", async () => {
    const page = await openDemoAtRest(site);
    const empty = [WAITING, "", "false"];
    const format = ["Format must be + followed by 10–15 digits.", "Invalid", "true"];
    const pattern = ["Number pattern looks artificially invalid.", "Invalid", "true"];
    const rows = [
      ["5511987654321", ...format],
      ["   ", ...empty],
      ["+12025550000", ...pattern],
      ["+5511987654321098", ...format],
      ["+5511987654x21", ...format],
    ];
    expect(await simulateAll(page, rows)).toStrictEqual(rows);
  });

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

  test("passes numbers of four countries, and treats any other as one of the United States", async () => {
    const page = await openDemoAtRest(site);
    const pass = (facts: string) => [`Looks right so far. Simulated preview: ${facts}`, "Looks valid", "false"];
    const rows = [
      ["+55 11 98765 4321", ...pass("Brazil (+55) · sample carrier TIM · Mobile")],
      ["+1 202 555 0123", ...pass("United States (+1) · sample carrier T-Mobile · Unknown")],
      ["+44 20 7946 0018", ...pass("United Kingdom (+44) · sample carrier O2 · Landline")],
      ["+351 912 345 678", ...pass("Portugal (+351) · sample carrier MEO · Mobile")],
      ["+49 1512 3456789", ...pass("United States (+1) · sample carrier AT&T · Unknown")],
    ];
    expect(await simulateAll(page, rows)).toStrictEqual(rows);
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

  longTest("420 ms after the last of several changes", async () => {
    const page = await openDemoAtRest(site);
    const { field, badge, verdict } = demoOf(page);
    for (const typed of ["+5511987654", "+55119876543", "+12025550000"]) {
      await field.fill(typed);
      await page.clock.runFor(300);
      await page.waitForTimeout(50);
      await expect.poll(() => badge.innerText()).toBe("Checking");
    }
    await expect.poll(() => verdict.innerText()).toBe(WAITING);
    await page.clock.runFor(130);
    await expect.poll(() => verdict.innerText()).toBe("Number pattern looks artificially invalid.");
  });
});
