import { expect, test } from "vitest";
import { openSite } from "./site.ts";

const site = openSite();

test("a script that somebody gets into the page does not run", async () => {
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
});

test("nothing is sent to another site", async () => {
  site.expectProblem(/^console error: CSP connect-src blocked https:\/\/elsewhere\.example/);
  site.expectProblem(/^console error: .*https:\/\/elsewhere\.example/);
  const page = await site.newPage();
  await page.goto("/");
  const error = await page.evaluate(() => fetch("https://elsewhere.example/").catch(String));
  expect(error).toContain("Failed to fetch");
});
