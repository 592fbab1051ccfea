import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { DEMO_LOOKUPS_PER_MINUTE } from "../../contract/limits.ts";
import { demoOf, holdLookUps, LOOK_UP, openDemo } from "./demo.ts";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

function figureOf(page: Page) {
  return page.getByRole("figure", { name: "The anatomy of a number" });
}

describe("the first screen", () => {
  test.each([
    [1280, 665],
    [1440, 790],
  ])("has the whole drawing, at %i by %i pixels", async (width, height) => {
    const page = await site.newPage({ width, height });
    await openLive(page);
    const country = figureOf(page).getByText("Brazil", { exact: true }).last();
    const box = await country.boundingBox();
    const link = await page.getByRole("link", { name: "Set conditions, and see the full response" }).boundingBox();
    expect(link!.y + link!.height).toBeLessThanOrEqual(height);
    // With room to the edge.
    expect(box!.y + box!.height).toBeLessThanOrEqual(height - 20);
  });

  test("dims the drawing while the field has another number", async () => {
    const page = await site.newPage();
    await openLive(page);
    const figure = figureOf(page);
    const opacity = () => page.evaluate<string>(`getComputedStyle(document.querySelector("[data-drawn]")).opacity`);
    expect(await opacity()).toBe("1");
    await figure.getByLabel("Your own number").fill("+44 20");
    await expect.poll(opacity).toBe("0.35");
    await figure.getByRole("radio", { name: "United States" }).check();
    await expect.poll(opacity).toBe("1");
  });

  test("has the verdict on a phone", async () => {
    const page = await site.newPage({ width: 375, height: 667 });
    await openLive(page);
    const calls = figureOf(page).getByRole("term").filter({ hasText: "Calls" });
    const box = await calls.locator("xpath=..").boundingBox();
    expect(box!.y + box!.height).toBeLessThanOrEqual(667);
  });

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

  test.each([375, 1280])("neither moves nor grows, whatever the response, at %i pixels", async (width) => {
    const page = await openDemo(site);
    await page.setViewportSize({ width, height: 812 });
    const figure = figureOf(page);
    const places = () =>
      page.evaluate<number[]>(`
        [document.querySelector("figure .anatomy-digits"), document.querySelector("#uses-title")]
          .map((element) => Math.round(element.getBoundingClientRect().top + window.scrollY))
      `);
    await figure.getByRole("radio", { name: "United Kingdom" }).check();
    await figure.getByText("Europe/London").waitFor();
    const [digits, below] = await places();
    await figure.getByRole("radio", { name: "United States" }).check();
    await figure.getByText("America/New_York").waitFor();
    expect(await places()).toStrictEqual([digits, below]);
    await figure.getByLabel("Your own number").fill("+44 20 7981 3000");
    await figure.getByRole("button", { name: "Verify" }).click();
    await figure.getByText("Europe/London").waitFor();
    expect(await places()).toStrictEqual([digits, below]);
    site.expectProblem(/^request failed: .*\/demo\/lookup net::ERR_INTERNET_DISCONNECTED$/);
    await page.route(LOOK_UP, (route) => route.abort("internetdisconnected"));
    await figure.getByLabel("Your own number").fill("+44 20 7981 3001");
    await figure.getByRole("button", { name: "Verify" }).click();
    await figure.getByRole("alert").getByText("No response. Check your connection and try again.").waitFor();
    // Another number's drawing would pass for this one's.
    expect(await figure.getByRole("img").count()).toBe(0);
    expect((await places())[1]).toBe(below);
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

  test("wraps a holder's long legal name before it reaches the verdict", async () => {
    const page = await openDemo(site);
    await page.setViewportSize({ width: 1280, height: 665 });
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+52 449 833 0000");
    await page.keyboard.press("Enter");
    await figure.getByRole("definition").filter({ hasText: "SERVICIOS DE INFRAESTRUCTURA" }).waitFor();
    const [holder, verdict] = await Promise.all(
      ["Holder", "Valid"].map((label) => figure.locator("dl > div", { hasText: label }).first().boundingBox()),
    );
    expect(verdict!.y).toBe(holder!.y);
    expect(holder!.x + holder!.width).toBeLessThanOrEqual(verdict!.x);
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
