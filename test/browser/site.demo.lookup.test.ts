import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { REASONS } from "../../contract/reasons.ts";
import { firstOrAll, longTest } from "../long.ts";
import { demoOf, holdLookUps, LOOK_UP, openDemo, openDemoAtRest } from "./demo.ts";
import { chooseCountry, holdScripts } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();
const BRAZIL = "+55 11 98765 4321";
const UNASSIGNED = "+1 202 055 0123";

async function ask(page: Page, number: string): Promise<void> {
  const { field, button } = demoOf(page);
  await field.fill(number);
  await button.click();
}

/** The engine's facts by label; the placeholder before a response has none. */
async function factsOf(page: Page): Promise<Record<string, string>> {
  const rows = await demoOf(page).answer.locator("dl > div").all();
  const pairs = rows.map(async (row) => [await row.locator("dt").innerText(), await row.locator("dd").innerText()]);
  return Object.fromEntries(await Promise.all(pairs)) as Record<string, string>;
}

/** The color that a custom property has on the page. */
function colorOf(page: Page, property: string): Promise<string> {
  return page.evaluate<string>(`
    (() => {
      const probe = document.body.appendChild(document.createElement("i"));
      probe.style.color = "var(${property})";
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    })()
  `);
}

/** The color of the check mark after the verified number. */
function tickColor(page: Page): Promise<string> {
  return page.evaluate<string>(`getComputedStyle(document.querySelector("#demo [aria-label=Valid] path")).stroke`);
}

describe("Verify", () => {
  test.each(firstOrAll(["the button", "Enter"]))("calls the engine on %s, and shows its response", async (by) => {
    const page = await openDemo(site);
    const { field, button, answer } = demoOf(page);
    const sent = page.waitForRequest(LOOK_UP);
    await field.fill(BRAZIL);
    if (by === "Enter") await field.press("Enter");
    else await button.click();
    const request = await sent;
    expect([request.method(), request.postDataJSON()]).toStrictEqual(["POST", { number: BRAZIL, country: "visitor" }]);
    await answer.getByText("14 lookups left this minute").waitFor();
    await expect
      .poll(() => factsOf(page))
      .toStrictEqual({
        Country: "Brazil",
        Area: expect.stringMatching(/^São Paulo\s*America\/Sao_Paulo$/),
        Carrier: expect.stringMatching(/^TIM\s*original allocation$/),
        "Line type": "Mobile",
        "In service": "Not checked",
        Valid: "Yes",
        Messages: "Likely",
        Calls: "Likely",
        Response: expect.stringMatching(/^\d+ ms$/),
      });
    await expect.poll(() => answer.getByRole("img", { name: "Valid" }).count()).toBe(1);
  });

  test("asks whether another number was meant, and looks it up on click", async () => {
    const page = await openDemo(site);
    const { answer, field } = demoOf(page);
    await ask(page, "+55 11 8765 4321");
    await answer
      .getByText("Did you mean +5511987654321? By 2016, Brazil had added a 9 to every mobile number.")
      .waitFor();
    await answer.getByText("reason: UNASSIGNED_RANGE").waitFor();
    await answer.getByRole("button", { name: "Try this number" }).click();
    await answer.getByRole("img", { name: "Valid" }).waitFor();
    expect(await field.inputValue()).toBe("+5511987654321");
    await expect.poll(() => answer.getByText("Did you mean").count()).toBe(0);
  });

  test("leads with a number that has changed, and gives no green check mark to one that nobody has", async () => {
    const page = await openDemo(site);
    const { section, answer } = demoOf(page);
    const examples = section.getByRole("list", { name: "Tricky numbers" }).getByRole("button");
    await examples.first().click();
    await expect.poll(() => answer.locator("ins").innerText()).toBe("9");
    await answer.getByRole("img", { name: "Invalid" }).waitFor();
    await ask(page, "+1 202 555 0123");
    await expect.poll(() => factsOf(page)).toMatchObject({ Valid: "Yes", Messages: "Unlikely", Calls: "Unlikely" });
    expect(await tickColor(page)).toBe(await colorOf(page, "--possible"));
  });

  test("verifies an example at a press, under its own conditions, without a simulated carrier before", async () => {
    const page = await openDemo(site);
    const { section, answer, verdict, field } = demoOf(page);
    const { asked } = await holdLookUps(page);
    await section.getByRole("button", { name: "Landline where you need a mobile" }).click();
    await expect.poll(() => verdict.innerText()).toBe("Verifying…");
    expect(asked[0]!.request().postDataJSON()).toMatchObject({ number: "+44 20 7981 3000", accept_types: ["mobile"] });
    await asked[0]!.continue();
    await answer.getByText("Not accepted: the line type is landline.").waitFor();
    await section.getByRole("button", { name: "Movie number" }).click();
    await expect.poll(() => verdict.innerText()).toBe("Verifying…");
    expect(asked[1]!.request().postDataJSON()).toStrictEqual({ number: "+44 7700 900123", country: "visitor" });
    await asked[1]!.continue();
    await answer.getByText("Reserved for fiction").waitFor();
    expect(await field.inputValue()).toBe("+44 7700 900123");
    expect(await verdict.innerText()).toMatch(/^Invalid/);
  });

  test("brings the result into sight on a phone", async () => {
    const page = await openDemo(site);
    const height = 667;
    await page.setViewportSize({ width: 375, height });
    const { section, answer } = demoOf(page);
    await section.getByRole("button", { name: "Old Brazilian number" }).click();
    const mark = answer.getByRole("img", { name: "Invalid" });
    await mark.waitFor();
    const problem = answer.getByText(REASONS.UNASSIGNED_RANGE.hint);
    const header = (await page.getByRole("banner").boundingBox())!;
    await expect.poll(async () => (await mark.boundingBox())!.y).toBeGreaterThan(header.height);
    await expect
      .poll(async () => {
        const { y, height: own } = (await problem.boundingBox())!;
        return y + own;
      })
      .toBeLessThanOrEqual(height);
  });

  test("keeps what was typed before the script arrived", async () => {
    const page = await site.newPage();
    const release = await holdScripts(page);
    await page.goto("/", { waitUntil: "commit" });
    const { field, button } = demoOf(page);
    await field.fill(BRAZIL);
    release();
    await expect.poll(() => button.getAttribute("aria-disabled")).toBe("false");
    expect(await field.inputValue()).toBe(BRAZIL);
  });

  test("says whether the number meets the conditions", async () => {
    const page = await openDemo(site);
    const { answer, badge } = demoOf(page);
    await page.locator("#demo").getByLabel("Accept only").selectOption("Mobile numbers");
    await chooseCountry(page.locator("#demo").getByLabel("Country", { exact: true }), "Portugal");
    const sent = page.waitForRequest(LOOK_UP);
    await ask(page, BRAZIL);
    const conditions = { expect_country: "PT", accept_types: ["mobile"] };
    expect((await sent).postDataJSON()).toStrictEqual({ number: BRAZIL, country: "visitor", ...conditions });
    await answer.getByText("Not accepted: the number belongs to another country.").waitFor();
    await expect.poll(() => badge.innerText()).toBe("Not accepted");
    // The number is valid, but green would say that all is well.
    expect(await tickColor(page)).toBe(await colorOf(page, "--ink"));
    // Other conditions make it another question's result.
    await page.locator("#demo").getByLabel("Country", { exact: true }).selectOption("Any country");
    await answer.getByText(`Last result: ${BRAZIL}`).waitFor();
    await demoOf(page).button.click();
    await answer.getByText("Accepted.", { exact: true }).waitFor();
    expect(await tickColor(page)).toBe(await colorOf(page, "--signal"));
    await page.locator("#demo").getByLabel("Line type").selectOption("Landline");
    await demoOf(page).button.click();
    await answer.getByText("Not accepted: the line type is mobile.").waitFor();
  });

  longTest("the preview steps back while the true result is shown, until another number is typed", async () => {
    const page = await openDemo(site);
    const { field, verdict, badge } = demoOf(page);
    // The preview shows MEO for this Vodafone number.
    await field.fill("+351 912 345 678");
    await expect
      .poll(() => verdict.innerText())
      .toContain("Simulated preview: Portugal (+351) · sample carrier MEO · Mobile");
    await ask(page, "+351 912 345 678");
    await expect.poll(() => factsOf(page)).toHaveProperty("Carrier", expect.stringMatching(/^Vodafone/));
    await expect.poll(() => verdict.innerText()).toMatch(/^Valid: Portugal, .*Vodafone.*, Mobile\.$/);
    await expect.poll(() => badge.count()).toBe(0);
    await field.fill("+351 912 345 679");
    await expect.poll(() => verdict.innerText()).toMatch(/· sample carrier (MEO|NOS|Vodafone) ·/);
  });

  test("expands the whole response, as returned by the API", async () => {
    const page = await openDemo(site);
    const { answer } = demoOf(page);
    const response = page.waitForResponse(LOOK_UP);
    await ask(page, BRAZIL);
    const given: unknown = await (await response).json();
    await answer.getByRole("button", { name: "See the full JSON" }).click();
    const shown: unknown = JSON.parse(await answer.getByRole("group", { name: "Response as JSON" }).innerText());
    expect(shown).toStrictEqual(given);
    expect(shown).toMatchObject({ valid: true, carrier: "TIM", carrier_source: "original_allocation" });
  });

  longTest("asks nothing while there is nothing to ask about", async () => {
    const page = await openDemo(site);
    const { field, button } = demoOf(page);
    const { asked } = await holdLookUps(page);
    await expect.poll(() => button.isDisabled()).toBe(true);
    await field.press("Enter");
    await field.fill("   ");
    await expect.poll(() => button.isDisabled()).toBe(true);
    await field.press("Enter");
    await page.waitForTimeout(200);
    expect(asked).toHaveLength(0);
  });

  test("keeps the number out of the address, the history and the storage", async () => {
    const page = await openDemo(site);
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await ask(page, BRAZIL);
    await demoOf(page).answer.getByText("14 lookups left this minute").waitFor();
    const kept = await page.evaluate<string>(`
      JSON.stringify([location.href, document.cookie, history.state, { ...localStorage }, { ...sessionStorage }])
    `);
    const cookies = JSON.stringify(await page.context().cookies());
    expect(addresses.length).toBeGreaterThan(0);
    for (const text of [kept, cookies, ...addresses.map(decodeURIComponent)]) {
      expect(text.replaceAll(/[\s+()-]/g, "")).not.toContain("987654321");
    }
    await page.reload();
    await expect.poll(() => demoOf(page).field.inputValue()).toBe("");
  });
});

describe("while a response is pending", () => {
  test("the button is busy, and neither it nor Enter sends another", async () => {
    const page = await openDemo(site);
    const { field, button, answer } = demoOf(page);
    const { asked } = await holdLookUps(page);
    await ask(page, BRAZIL);
    await expect.poll(() => asked.length).toBe(1);
    await page.getByText("Verifying…").waitFor();
    await expect.poll(() => button.getAttribute("aria-busy")).toBe("true");
    await expect.poll(() => button.getAttribute("aria-disabled")).toBe("true");
    await button.click({ force: true });
    await field.press("Enter");
    await page.waitForTimeout(200);
    expect(asked).toHaveLength(1);
    await asked[0]!.continue();
    await answer.getByText("14 lookups left this minute").waitFor();
    await expect.poll(() => button.getAttribute("aria-busy")).toBeNull();
  });

  test("the wait is admitted to after three seconds", async () => {
    const page = await openDemoAtRest(site);
    await holdLookUps(page);
    await ask(page, BRAZIL);
    const { verdict } = demoOf(page);
    await expect.poll(() => verdict.innerText()).toBe("Verifying…");
    await page.clock.runFor(2900);
    expect(await verdict.innerText()).toBe("Verifying…");
    await page.clock.runFor(200);
    await expect.poll(() => verdict.innerText()).toBe("Still verifying…");
  });

  longTest("another number can be asked about, and an older answer never takes the place of a newer", async () => {
    const page = await openDemo(site);
    const { field, answer } = demoOf(page);
    const { asked } = await holdLookUps(page);
    await ask(page, BRAZIL);
    await expect.poll(() => asked.length).toBe(1);
    await field.fill(UNASSIGNED);
    await field.press("Enter");
    await expect.poll(() => asked.length).toBe(2);
    await asked[1]!.continue();
    await answer.getByText("reason: UNASSIGNED_RANGE").waitFor();
    // The page has aborted this one, so there may be no one to respond to.
    await asked[0]!.continue().catch(() => {});
    await page.waitForTimeout(300);
    await expect.poll(() => answer.getByText("reason: UNASSIGNED_RANGE").isVisible()).toBe(true);
    await expect.poll(() => answer.getByText("São Paulo").count()).toBe(0);
  });
});

describe("when no response arrives", () => {
  test("the demo says so, and trying again works", async () => {
    const page = await openDemo(site);
    const { button, answer, section } = demoOf(page);
    site.expectProblem(/^request failed: .*\/demo\/lookup net::ERR_INTERNET_DISCONNECTED$/);
    await page.route(LOOK_UP, (route) => route.abort("internetdisconnected"), { times: 1 });
    await ask(page, BRAZIL);
    await section.getByRole("alert").getByText("No response. Check your connection and try again.").waitFor();
    await section.getByRole("heading", { name: "No result" }).waitFor();
    await button.click();
    await answer.getByText("14 lookups left this minute").waitFor();
    await expect.poll(() => section.getByRole("alert").innerText()).toBe("");
  });

  test("the result of another number and the preview make room for the reason", async () => {
    const page = await openDemo(site);
    const { answer, badge, field, section, verdict } = demoOf(page);
    await ask(page, UNASSIGNED);
    await answer.getByText("reason: UNASSIGNED_RANGE").waitFor();
    site.expectProblem(/^answer 503: .*\/demo\/lookup$/);
    const json = { error: "Not now.", code: "TEMPORARILY_UNAVAILABLE" };
    await page.route(LOOK_UP, (route) => route.fulfill({ status: 503, json }), { times: 1 });
    await ask(page, BRAZIL);
    await section.getByRole("alert").getByText("Not now.").waitFor();
    await expect.poll(() => answer.getByText("UNASSIGNED_RANGE").count()).toBe(0);
    // No sample that looks like a success.
    await expect.poll(() => verdict.innerText()).toBe("");
    expect(await badge.count()).toBe(0);
    await section.getByRole("heading", { name: "No result" }).waitFor();
    // What is wrong with a number is said anyway.
    await field.fill("+55");
    await expect.poll(() => badge.innerText()).toBe("Keep typing");
    // The failure was the other number's.
    await field.fill("+44 20 7946 0018");
    await expect.poll(() => badge.innerText()).toBe("Looks valid");
    expect(await section.getByRole("alert").getByText("Not now.").count()).toBe(0);
  });

  longTest("or one that is no response, it says so too", async () => {
    const page = await openDemo(site);
    const { section } = demoOf(page);
    site.expectProblem(/^answer 502: .*\/demo\/lookup$/);
    await page.route(LOOK_UP, (route) => route.fulfill({ status: 502, body: "<h1>Bad gateway</h1>" }), { times: 1 });
    await ask(page, BRAZIL);
    await section.getByRole("alert").getByText("No response. Check your connection and try again.").waitFor();
  });
});
