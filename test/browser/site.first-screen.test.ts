import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DEMO_LOOKUPS_PER_MINUTE } from "../../contract/limits.ts";
import { demoOf, holdLookUps, LOOK_UP, openDemo } from "./demo.ts";
import { openSite } from "./site.ts";

const site = openSite();

function figureOf(page: Page) {
  return page.getByRole("figure", { name: "The anatomy of a number" });
}

describe("the first screen", () => {
  test("verifies the visitor's own number, and draws it", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+44 20 7981 3000");
    await figure.getByRole("button", { name: "Verify" }).click();
    await figure.getByText("Landline", { exact: true }).waitFor();
    await figure.getByRole("img", { name: "Valid", exact: true }).waitFor();
    expect(await figure.getByRole("radio", { name: "Yours" }).isChecked()).toBe(true);
    await figure.getByRole("radio", { name: "United States" }).check();
    await figure.getByText("America/New_York").waitFor();
    // The field no longer names what is drawn.
    expect(await figure.getByLabel("Your own number").inputValue()).toBe("");
  });

  test("hands its number and result to the demo", async () => {
    const page = await openDemo(site);
    let asked = 0;
    page.on("request", (request) => (asked += Number(request.url().endsWith("/demo/lookup"))));
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+55 11 98765 4321");
    await page.keyboard.press("Enter");
    await figure.getByRole("img", { name: "Valid", exact: true }).waitFor();
    const { field, answer } = demoOf(page);
    await answer.getByText(`· ${DEMO_LOOKUPS_PER_MINUTE - 1} lookups left this minute`).waitFor();
    expect(await field.inputValue()).toBe("+55 11 98765 4321");
    expect(await page.evaluate("window.scrollY")).toBe(0);
    await figure.getByRole("link", { name: "Set conditions, and see the full response" }).click();
    await expect.poll(async () => (await answer.boundingBox())!.y).toBeLessThan(900);
    expect(asked).toBe(1);
  });

  test("hands over the next result too, after a lookup that failed", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    const { field } = demoOf(page);
    const verify = async (number: string) => {
      await figure.getByLabel("Your own number").fill(number);
      await page.keyboard.press("Enter");
    };
    await verify("+55 11 98765 4321");
    await expect.poll(() => field.inputValue()).toBe("+55 11 98765 4321");
    site.expectProblem(/^request failed: .*\/demo\/lookup net::ERR_INTERNET_DISCONNECTED$/);
    await page.route(LOOK_UP, (route) => route.abort("internetdisconnected"), { times: 1 });
    await verify("+44 20 7981 3001");
    await figure.getByRole("alert").getByText("No response.").waitFor();
    // Another number's drawing would pass for this one's.
    expect(await figure.getByRole("img").count()).toBe(0);
    await verify("+44 20 7981 3000");
    await expect.poll(() => field.inputValue()).toBe("+44 20 7981 3000");
    expect(await page.evaluate("window.scrollY")).toBe(0);
  });

  test("takes nothing from someone who has moved on to the demo", async () => {
    const page = await openDemo(site);
    const { asked } = await holdLookUps(page);
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+44 20 7981 3000");
    await page.keyboard.press("Enter");
    const { field } = demoOf(page);
    await field.fill("+351 912 345");
    await asked[0]!.continue();
    await figure.getByText("Europe/London").waitFor();
    expect(await field.inputValue()).toBe("+351 912 345");
    expect(await field.evaluate((input) => input === input.ownerDocument.activeElement)).toBe(true);
  });

  test("says what is wrong with a number, and marks what it lacks", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+55 11 8765 4321");
    await page.keyboard.press("Enter");
    await figure.getByRole("img", { name: "Invalid" }).waitFor();
    expect(await figure.locator("ins").innerText()).toBe("9");
    await figure.getByRole("button", { name: "Try this number" }).click();
    await figure.getByText("America/Sao_Paulo").waitFor();
    expect(await figure.getByLabel("Your own number").inputValue()).toBe("+5511987654321");
  });
});
