import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { LOOK_UP, openDemo } from "./demo.ts";
import { chooseCountry } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

function figureOf(page: Page) {
  return page.getByRole("figure", { name: "The anatomy of a number" });
}

async function verify(page: Page, number: string): Promise<void> {
  await figureOf(page).getByLabel("Your own number").fill(number);
  await page.keyboard.press("Enter");
}

describe("the first screen", () => {
  test("verifies the visitor's own number, and draws it", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+44 20 7981 3000");
    await figure.getByRole("button", { name: "Verify" }).click();
    await figure.getByText("Landline", { exact: true }).waitFor();
    await figure.getByText(/^\d+ ms$/).waitFor();
    await figure.getByRole("img", { name: "Valid", exact: true }).waitFor();
    expect(await figure.getByRole("radio", { name: "Yours" }).isChecked()).toBe(true);
    await figure.getByRole("radio", { name: "United States" }).check();
    await figure.getByText("America/New_York", { exact: true }).waitFor();
    // The field no longer names what is drawn.
    expect(await figure.getByLabel("Your own number").inputValue()).toBe("");
  });

  test.each([
    ["US", "(202) 224-3121", "United States"],
    ["DE", "030 901820", "Germany"],
  ])("reads a visitor's number as people in %s write it, and says so", async (country, number, name) => {
    const page = await openDemo(site, (fresh) =>
      fresh.setExtraHTTPHeaders({ "MF-CF-Blob": JSON.stringify({ country }) }),
    );
    const figure = figureOf(page);
    await verify(page, number);
    await figure.getByRole("img", { name: "Valid", exact: true }).waitFor();
    const choice = figure.getByLabel("Read as a number from");
    expect(await choice.locator("option:checked").innerText()).toBe(name);
    await expect.poll(() => figure.getByRole("status").innerText()).toContain(`Read as a number from ${name}.`);
    // A number with a plus says its own country.
    await verify(page, "+44 20 7981 3000");
    await figure.getByLabel("Numbers without + are from").waitFor();
  });

  test("asks where a number is from if the visitor's country is unknown, and reads it there", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await verify(page, "(202) 224-3121");
    await figure.getByText("Add + and the calling code.", { exact: true }).waitFor();
    await chooseCountry(figure.getByLabel("Where is it from?"), "United States");
    await figure.getByText("Washington D.C.").first().waitFor();
    await figure.getByLabel("Read as a number from").waitFor();
  });

  test("lights the field behind a fact that the Tab key reaches, and brings it into view", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    const json = figure.getByRole("group", { name: "Response as JSON" });
    const line = json.locator('[data-field="reachability"]');
    await figure.locator('div[data-field="reachability"]').focus();
    await expect.poll(() => line.getAttribute("data-lit")).toBe("");
    expect(await figure.locator("pre [data-lit]").count()).toBe(1);
    const [frame, lit] = [(await json.boundingBox())!, (await line.boundingBox())!];
    expect(lit.y).toBeGreaterThan(frame.y);
    expect(lit.y).toBeLessThan(frame.y + frame.height);
    await page.keyboard.press("Tab");
    await expect.poll(() => line.getAttribute("data-lit")).toBeNull();
  });

  test("never leaves a drawing under a number whose lookup failed", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await verify(page, "+55 11 98765 4321");
    await figure.getByRole("img", { name: "Valid", exact: true }).waitFor();
    site.expectProblem(/^request failed: .*\/demo\/lookup net::ERR_INTERNET_DISCONNECTED$/);
    await page.route(LOOK_UP, (route) => route.abort("internetdisconnected"), { times: 1 });
    await verify(page, "+44 20 7981 3001");
    await figure.getByRole("alert").getByText("No response.").waitFor();
    expect(await figure.getByRole("img").count()).toBe(0);
  });

  test("says what is wrong with a number, and marks what it lacks", async () => {
    const page = await openDemo(site);
    const figure = figureOf(page);
    await figure.getByLabel("Your own number").fill("+55 11 8765 4321");
    await page.keyboard.press("Enter");
    await figure.getByRole("img", { name: "Invalid" }).waitFor();
    expect(await figure.locator("ins").innerText()).toBe("9");
    await figure.getByRole("button", { name: "Try this number" }).click();
    await figure.getByText("America/Sao_Paulo", { exact: true }).waitFor();
    expect(await figure.getByLabel("Your own number").inputValue()).toBe("+5511987654321");
  });
});
