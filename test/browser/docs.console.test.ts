import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { TEST_LIMITS } from "../../contract/plans.ts";
import { SANDBOX_ERRORS } from "../../contract/errors.ts";
import { SANDBOX_FAILURES } from "../../contract/sandbox.ts";
import { createKey } from "../factories.ts";
import { firstOrAll, longTest } from "../long.ts";
import { openSite } from "./site.ts";
import type { TabOptions } from "./tab.ts";
import { openLive } from "./live.ts";

const site = openSite();

async function openConsole(options: TabOptions = {}): Promise<Page> {
  const page = await site.newPage(options);
  await openLive(page, "/docs/sandbox");
  await page.getByText("With a test key", { exact: true }).click();
  return page;
}

function consoleOf(page: Page) {
  const region = page.getByRole("region", { name: "Console" });
  return {
    region,
    key: region.getByLabel("Test key", { exact: true }),
    number: region.getByLabel("Number", { exact: true }),
    scenario: region.getByRole("combobox", { name: "Scenario" }),
    send: region.getByRole("button", { name: "Send" }),
    body: region.getByRole("group", { name: "Response", exact: true }),
  };
}

function testKey(): Promise<string> {
  return createKey(site.worker.db, "test");
}

describe("the console of the docs", () => {
  test("calls the API with a test key, and shows the response", async () => {
    const page = await openConsole();
    const { region, key, send, body } = consoleOf(page);
    await key.fill(await testKey());
    await send.click();
    await body.waitFor();
    expect(JSON.parse(await body.innerText())).toMatchObject({ valid: true, status: "DELIVERED_TO_HANDSET" });
    await region.getByText("200", { exact: true }).first().waitFor();
    await region.getByText(/^\d+ ms/).waitFor();
    await region.getByText(/^req_/).waitFor();
    await region.getByText(/"requests";r=\d+;t=\d+/).waitFor();
  });

  test("answers the sandbox's numbers without a key", async () => {
    const page = await openConsole();
    const { region, scenario, send, body } = consoleOf(page);
    await send.click();
    await body.waitFor();
    expect(JSON.parse(await body.innerText())).toMatchObject({ valid: true, status: "DELIVERED_TO_HANDSET" });
    const { number, name } = SANDBOX_FAILURES[3];
    site.expectProblem(/^answer 400: .*\/api\/v1\/demo\/lookup$/);
    await scenario.selectOption(number);
    await send.click();
    await region.getByText("400", { exact: true }).first().waitFor();
    expect(JSON.parse(await body.innerText())).toStrictEqual({ error: SANDBOX_ERRORS[name].message, code: name });
  });

  test("answers any other number without a key, and says that the demo's endpoint did", async () => {
    const page = await openConsole();
    const { region, number, send, body } = consoleOf(page);
    await number.fill("+351 912 345 678");
    await send.click();
    await body.waitFor();
    expect(JSON.parse(await body.innerText())).toMatchObject({ valid: true, country_code: "PT" });
    await region.getByText("/api/v1/demo/lookup", { exact: true }).waitFor();
    await number.fill("+1202555");
    await send.click();
    await body.getByText('"TOO_SHORT"').waitFor();
  });

  test("accepts a custom number, and writes the same call in every language", async () => {
    const page = await openConsole();
    const { region, key, number, send, body } = consoleOf(page);
    await key.fill(await testKey());
    await number.fill("+351 912 345 678");
    await send.click();
    await body.getByText('"country_code": "PT"').waitFor();
    for (const language of ["curl", "Ruby", "Python", "PHP", "Node.js", "Go", "Java", "Flutter"]) {
      await region.getByLabel("Language").selectOption(language);
      const code = await region.getByRole("group", { name: /^verify\./i }).innerText();
      expect(code).toContain("+351 912 345 678");
      expect(code).toContain(`${site.origin}/api/v1/verify`);
      expect(code).not.toMatch(/ch_test_/);
    }
  });

  test("never sends a live key, or anything that can't be a key", async () => {
    const page = await openConsole();
    const sent: string[] = [];
    page.on("request", (request) => request.url().includes("/api/") && sent.push(request.url()));
    const { region, key, number, send } = consoleOf(page);
    await key.fill(await createKey(site.worker.db, "live"));
    await region.getByText("This is a live key.").waitFor();
    await send.click();
    await key.fill("ch_test_tooshort");
    await region.getByText("This key is incomplete").waitFor();
    await key.fill(await testKey());
    await number.fill("");
    await region.getByText("Choose a scenario, or enter a number.").waitFor();
    await send.click();
    expect(sent).toStrictEqual([]);
  });

  test.each(["<b>x</b>", `+1"; rm -rf '$HOME' \\`, "abc", " "])(
    "lets the API reject %j, and generates no code that would break",
    async (text) => {
      site.expectProblem(/^answer 400: .*\/api\/v1\/verify$/);
      const page = await openConsole();
      const { region, key, number, send, body } = consoleOf(page);
      await key.fill(await testKey());
      await number.fill(text);
      await send.click();
      await body.getByText('"REJECTED_FORMAT"').waitFor();
      const code = region.getByRole("group", { name: "verify.sh" });
      const isWritten = /^[a-z ]+$/.test(text);
      expect(await code.innerText()).toContain(isWritten ? `"number": "${text}"` : "+5511987654321");
      await expect.poll(() => region.getByText("would have to be escaped").count()).toBe(isWritten ? 0 : 1);
    },
  );

  test.each(firstOrAll(["number", "key", "scenario"] as const))(
    "clears a response when the %s changes",
    async (changed) => {
      const page = await openConsole();
      const { region, key, number, scenario, send, body } = consoleOf(page);
      await key.fill(await testKey());
      await send.click();
      await body.waitFor();
      if (changed === "scenario") await scenario.selectOption(SANDBOX_FAILURES[0].number);
      else await (changed === "number" ? number : key).fill(changed === "number" ? "+351 912 345 678" : "ch_test_");
      await region.getByText("The response appears here.").waitFor();
      await expect.poll(() => body.count()).toBe(0);
    },
  );

  longTest("shows no response to a number that was changed before it arrived", async () => {
    const page = await openConsole();
    const { region, key, number, send, body } = consoleOf(page);
    const answer = Promise.withResolvers<void>();
    const handled = Promise.withResolvers<void>();
    await page.route("**/api/v1/verify", async (route) => {
      await answer.promise;
      // No one waits for the response of an aborted call.
      await route.fulfill({ json: { valid: true } }).catch(() => {});
      handled.resolve();
    });
    await key.fill(await testKey());
    await send.click();
    await region.getByText("Sending…").first().waitFor();
    await number.fill("+351 912 345 678");
    await region.getByText("The response appears here.").waitFor();
    answer.resolve();
    await handled.promise;
    await page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))");
    expect(await body.count()).toBe(0);
    await region.getByText("The response appears here.").waitFor();
  });

  test("waits when the limit is reached, and says for how long", async () => {
    const key = await testKey();
    const body = JSON.stringify({ number: "+12025550123" });
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    await Promise.all(
      Array.from({ length: TEST_LIMITS.requestsPerMinute }, () =>
        site.fetch("/api/v1/verify", { method: "POST", headers, body }),
      ),
    );
    site.expectProblem(/^answer 429: .*\/api\/v1\/verify$/);
    const page = await openConsole();
    const { region, key: field, send } = consoleOf(page);
    await field.fill(key);
    await send.click();
    await region.getByText('"RATE_LIMITED"').waitFor();
    await region.getByText("Retry-After").waitFor();
    await expect.poll(() => region.getByRole("button", { name: /^Try again in \d+ s$/ }).isDisabled()).toBe(true);
  });

  longTest("says when no response arrives", async () => {
    site.expectProblem(/^request failed: .*\/api\/v1\/verify /);
    const page = await openConsole();
    await page.route("**/api/v1/verify", (route) => route.abort("connectionfailed"));
    const { region, key, send } = consoleOf(page);
    await key.fill(await testKey());
    await send.click();
    await region.getByRole("alert").getByText("No response. Check your connection").waitFor();
    expect(await region.getByRole("status").innerText()).toBe("");
  });

  test("does not store the key", async () => {
    const page = await openConsole();
    const { region, key, send, body } = consoleOf(page);
    const secret = await testKey();
    await key.fill(secret);
    await send.click();
    await body.waitFor();
    const kept = await page.evaluate<string>(
      "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])",
    );
    expect(kept).not.toContain(secret.slice(8));
    expect((await page.content()).replaceAll(/value="[^"]*"/g, "")).not.toContain(secret);
    await page.reload();
    await expect.poll(() => region.getByLabel("Test key", { exact: true }).inputValue()).toBe("");
    expect(site.worker.logs().join("\n")).not.toContain(secret);
  });
});
