import Papa from "papaparse";
import { expect, test } from "vitest";
import { MAX_NUMBERS } from "../../web/routes/dashboard/bulk/read-list.ts";
import { counts, dropFile, fillIn, pasteList, phase, shownInputs, start, validNumbers } from "./dashboard.bulk-page.ts";
import { createDeveloper, downloadBy, reportOf, waitForUsage } from "./dashboard.usage.ts";
import { openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();
const PATH = "/dashboard/bulk";

const MIXED = ["+5511987654321", "020 7946 0018", "+1202", "=1+20255501", "+5511987654321", "+12025550123"];

test("a pasted list is checked, filtered, searched and downloaded", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, MIXED, keys.live);
  await page.getByText("6 numbers · 1 repeated, checked once").waitFor();
  await page.getByText(/one for each valid number, up to 5 here/).waitFor();
  await page.getByText(/This account has 1,000 left/).waitFor();
  await page.getByLabel("Country").selectOption("GB");
  await start(page);
  await phase(page, "done");
  await expect.poll(() => counts(page)).toStrictEqual(["4", "2", "0", "0"]);
  await expect.poll(() => shownInputs(page)).toStrictEqual(MIXED);

  const main = page.getByRole("main");
  await main.getByRole("radio", { name: "Invalid", exact: true }).click({ force: true });
  await expect.poll(() => shownInputs(page)).toStrictEqual(["+1202", "=1+20255501"]);
  const selection = await downloadBy(page, "Download these 2");
  expect(Papa.parse(selection.text.slice(1), { header: true, skipEmptyLines: true }).data).toHaveLength(2);
  await main.getByRole("radio", { name: "All", exact: true }).click({ force: true });
  await main.getByLabel("Country").selectOption("BR");
  await expect.poll(() => shownInputs(page)).toStrictEqual(["+5511987654321", "+5511987654321"]);
  await main.getByLabel("Country").selectOption("");
  await main.getByLabel("Search the results").fill("20 7946");
  await expect.poll(() => shownInputs(page)).toStrictEqual(["020 7946 0018"]);
  await main.getByLabel("Search the results").fill("nothing like it");
  await main.getByRole("button", { name: "Show all" }).click();
  await expect.poll(() => shownInputs(page)).toHaveLength(6);

  const { name, text } = await downloadBy(page, "Download CSV");
  expect(name).toMatch(/^checkline-bulk-\d{4}-\d{2}-\d{2}\.csv$/);
  const { data } = Papa.parse<Record<string, string>>(text.slice(1), { header: true, skipEmptyLines: true });
  expect(data.map((row) => [row["input"], row["outcome"], row["number"]])).toStrictEqual([
    ["+5511987654321", "valid", "+5511987654321"],
    ["020 7946 0018", "valid", "+442079460018"],
    ["+1202", "invalid", "+1202"],
    ["'=1+20255501", "invalid", expect.any(String)],
    ["+5511987654321", "valid", "+5511987654321"],
    ["+12025550123", "valid", "+12025550123"],
  ]);
  expect(data[0]).toMatchObject({ country_code: "BR", line_type: "mobile", time_zones: "America/Sao_Paulo" });
  // Each different number is counted once.
  await waitForUsage(site, token, 5);
  expect((await reportOf(site, token, "days=7&mode=live")).days.at(-1)).toMatchObject({ total: 5, successful: 3 });
});

test("a test key answers from the sandbox, its failures among the results", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, ["+5511987654321", "+12025550109", "+1202"], keys.test);
  await page.getByText(/answers from the sandbox/).waitFor();
  await start(page);
  await phase(page, "done");
  await expect.poll(() => counts(page)).toStrictEqual(["1", "0", "2", "0"]);
  await page
    .getByRole("cell", { name: "verification failed: Subscriber absent (code: 9) REJECTED_SUBSCRIBER_ABSENT" })
    .waitFor();
});

test("a file is dropped, its column found, another chosen, and its numbers added", async () => {
  const { token } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  await page.getByLabel("Numbers", { exact: true }).fill("+442079460018");
  await dropFile(
    page,
    "contacts.csv",
    "\uFEFFname;home;mobile\r\nAna;;+5511987654321\r\nBob;+33123456789;+12025550123\r\n",
  );
  const panel = page.getByRole("region", { name: "Numbers from contacts.csv" });
  const column = panel.getByLabel("Column", { exact: true });
  await expect.poll(() => column.inputValue()).toBe("2");
  await expect
    .poll(() => column.locator("option").allInnerTexts())
    .toStrictEqual(["name (0 numbers)", "home (1 number)", "mobile (2 numbers)"]);
  await expect.poll(() => panel.getByLabel("The first line names the columns").isChecked()).toBe(true);
  await column.selectOption("1");
  await panel.getByRole("button", { name: "Add 1 number", exact: true }).waitFor();
  await column.selectOption("2");
  await panel.getByRole("button", { name: "Add 2 numbers" }).click();
  await expect
    .poll(() => page.getByLabel("Numbers", { exact: true }).inputValue())
    .toBe("+442079460018\n+5511987654321\n+12025550123");
});

test("what cannot be used is refused with a reason", async () => {
  const { token, keys } = await createDeveloper(site);
  const page = await openDashboard(site, { token }, PATH);
  const chooser = page.locator("input[type=file]");
  await chooser.setInputFiles({ name: "book.xlsx", mimeType: "text/csv", buffer: Buffer.from("PK\u0003\u0004") });
  await page.getByText(/book\.xlsx: This is a workbook/).waitFor();
  await chooser.setInputFiles({ name: "names.csv", mimeType: "text/csv", buffer: Buffer.from("name\nAna\n") });
  await page.getByText("names.csv: There is no phone number in this file.").waitFor();
  const many = validNumbers(MAX_NUMBERS + 1).join("\n");
  await chooser.setInputFiles({ name: "many.csv", mimeType: "text/csv", buffer: Buffer.from(many) });
  await page.getByText(/These are 10,001 numbers, and one check takes up to 10,000/).waitFor();
  await expect.poll(() => page.getByRole("button", { name: "Add 10,001 numbers" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Do not add" }).click();
  await page.getByRole("button", { name: "Check numbers" }).click();
  await page.getByText("Paste at least one number, or choose a file").waitFor();
  await pasteList(page, many);
  await page.getByText(/One check takes up to 10,000 numbers\. Take out 1,/).waitFor();
  await fillIn(page, ["+5511987654321"], "not a key");
  await start(page);
  await page.getByText(/Paste an API key: it begins with/).waitFor();
  await fillIn(page, ["+5511987654321"], keys.test);
  await start(page);
  await phase(page, "done");
});

/** Runs in the page: how long a fixed piece of work takes at its best, in milliseconds: some 10 where nothing else goes on. */
const PACE = `Math.min(...Array.from({ length: 5 }, () => {
  const start = performance.now();
  let sum = 0;
  for (let at = 0; at < 1e6; at += 1) sum += Math.sqrt(at) % 7;
  return performance.now() - start + 0 * sum;
}))`;

test("two thousand numbers stay smooth", async () => {
  const { token, keys } = await createDeveloper(site, { plan: "pro" });
  const page = await openDashboard(site, { token }, PATH);
  await fillIn(page, validNumbers(2000), keys.live);
  await page.evaluate(`
    window.longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration);
    }).observe({ entryTypes: ["longtask"] });
  `);
  await start(page);
  await phase(page, "done");
  await expect.poll(async () => (await counts(page))[0]).toBe("2,000");
  await expect.poll(() => shownInputs(page)).toHaveLength(50);
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("51–100 of 2,000").waitFor();
  await page.getByLabel("Search the results").fill(validNumbers(2000).at(-1)!);
  await page.getByText("1–1 of 1").waitFor();
  // Half a second where the pace is 10 ms, and as much more as the machine is slower now; a table of all rows takes seconds.
  const pace = await page.evaluate<number>(PACE);
  expect(await page.evaluate("window.longest"), `at a pace of ${pace} ms`).toBeLessThan(50 * pace);
});
