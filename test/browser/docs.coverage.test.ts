import { expect, test } from "vitest";
import type { Coverage } from "../../scripts/data/coverage.ts";
import { openLive } from "./live.ts";
import { openSite } from "./site.ts";

const site = openSite();

test("the page shows the shares of /coverage.json, which any origin can read", async () => {
  const response = await site.fetch("/coverage.json");
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const coverage = (await response.json()) as Coverage[];
  const page = await site.newPage({ javaScript: false });
  await page.goto(`${site.origin}/docs/coverage`);
  const rows = await page.getByRole("table", { name: "What is known by country" }).getByRole("row").allTextContents();
  expect(rows).toHaveLength(coverage.length + 1);
  for (const code of ["US", "DE", "FR", "VA"]) {
    const { country_name, country_prefix, shares } = coverage.find(({ country_code }) => country_code === code)!;
    const texts = Object.values(shares).map((share) => (share === null ? "–" : `${Math.round(share * 100)}%`));
    const row = rows.find((text) => text.startsWith(`${country_name}${country_prefix}`))!;
    expect(row.endsWith(texts.join(""))).toBe(true);
  }
});

test("the filter finds a country by name or calling code, by keyboard alone", async () => {
  const page = await site.newPage();
  await openLive(page, "/docs/coverage");
  const names = () => page.getByRole("rowheader").allTextContents();
  const filter = page.getByRole("searchbox", { name: "Filter by name" });
  await filter.focus();
  await page.keyboard.type("germ");
  await expect.poll(names).toEqual(["Germany+49"]);
  await page.getByText("1 of 245 countries").waitFor();
  await filter.fill("+500");
  await expect.poll(names).toEqual(["Falkland Islands+500"]);
  await filter.fill("nowhere");
  await page.getByText("0 of 245 countries").waitFor();
});
