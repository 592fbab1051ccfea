import { expect, test } from "vitest";
import { openSite } from "./site.ts";

const site = openSite();

test("an injected script does not run, a style has no effect, and nothing is sent to another site", async () => {
  site.expectProblem(/^console error: CSP script-src-elem blocked inline/);
  site.expectProblem(/^console error: Executing inline script violates/);
  const page = await site.newPage();
  await page.goto("/");
  const ran = await page.evaluate<string>(`
    const script = document.createElement("script");
    script.textContent = "document.documentElement.dataset.injected = 'yes'";
    document.body.append(script);
    String(document.documentElement.dataset.injected);
  `);
  expect(ran).toBe("undefined");

  site.expectProblem(/^console error: CSP style-src-elem blocked inline/);
  site.expectProblem(/^console error: Applying inline style violates/);
  const color = await page.evaluate<string>(`
    const style = document.createElement("style");
    style.textContent = "body { color: rgb(1, 2, 3) !important }";
    document.body.append(style);
    getComputedStyle(document.body).color;
  `);
  expect(color).not.toBe("rgb(1, 2, 3)");

  site.expectProblem(/^console error: CSP connect-src blocked https:\/\/elsewhere\.example/);
  site.expectProblem(/^console error: .*https:\/\/elsewhere\.example/);
  const error = await page.evaluate(() => fetch("https://elsewhere.example/").catch(String));
  expect(error).toContain("Failed to fetch");
});
