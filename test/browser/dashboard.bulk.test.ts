import { readXlsx, writeXlsx } from "hucre/xlsx";
import Papa from "papaparse";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { createSignedIn } from "../factories.ts";
import {
  BULK,
  choose,
  counts,
  download,
  dropFile,
  fillIn,
  keptOf,
  phase,
  press,
  shownInputs,
  start,
  validNumbers,
} from "./dashboard.bulk-page.ts";
import { reportOf, waitForUsage } from "./dashboard.usage.ts";
import { chooseCountry } from "./live.ts";
import { openDashboard } from "./signed-in.ts";
import { openSite } from "./site.ts";

const site = openSite();

/** The rows of a CSV file by the names of their columns. */
function rowsOf(bytes: Buffer): Record<string, string>[] {
  const text = bytes.toString("utf8").replace(/^\uFEFF/, "");
  return Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true }).data;
}

const MIXED = ["+5511987654321", "020 7946 0018", "+1202", "=1+20255501", "+5511987654321", "+12025550123"];

test("a pasted list is checked with the session, filtered, searched, and downloaded", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, account, BULK);
  await fillIn(page, MIXED);
  await page.getByText("6 rows · 5 numbers to verify · 1 repeated, verified once").waitFor();
  await page.getByText("This will use up to 5 verifications.").waitFor();
  await page.getByText(/You have 1,000 left/).waitFor();
  await chooseCountry(page.getByLabel("Country for all rows"), "GB");
  await page.getByText("Add conditions").click();
  await page.getByLabel("Accept only").selectOption("Mobile numbers");
  await start(page);
  await phase(page, "done");
  await page.getByRole("heading", { name: "Checked 6 rows, 5 unique numbers" }).waitFor();
  await expect.poll(() => counts(page)).toStrictEqual(["4", "2", "0", "0"]);
  await expect.poll(() => shownInputs(page)).toStrictEqual(MIXED);

  const main = page.getByRole("main");
  await main.getByRole("radio", { name: "Invalid 2", exact: true }).click({ force: true });
  await expect.poll(() => shownInputs(page)).toStrictEqual(["+1202", "=1+20255501"]);
  const selection = await download(page, "CSV for programs", /^Download these 2$/);
  expect(rowsOf(selection.bytes).map((row) => row["Column 1"])).toStrictEqual(["+1202", "=1+20255501"]);
  await main.getByRole("radio", { name: "All 6", exact: true }).click({ force: true });
  await main.getByLabel("Rows shown").selectOption("In several rows (2)");
  await expect.poll(() => shownInputs(page)).toStrictEqual(["+5511987654321", "+5511987654321"]);
  await main.getByLabel("Rows shown").selectOption("All rows");
  await main.getByLabel("Country").selectOption("BR");
  await expect.poll(() => shownInputs(page)).toStrictEqual(["+5511987654321", "+5511987654321"]);
  await main.getByLabel("Country").selectOption("");
  await main.getByLabel("Search the results").fill("20 7946");
  await expect.poll(() => shownInputs(page)).toStrictEqual(["020 7946 0018"]);
  await main.getByLabel("Search the results").fill("nothing like it");
  await main.getByRole("button", { name: "Show all" }).click();
  await expect.poll(() => shownInputs(page)).toHaveLength(6);

  await expect.poll(() => keptOf(page)).toStrictEqual({ rows: 6, results: 5 });
  const { name, bytes } = await download(page, "CSV for spreadsheets");
  expect(name).toMatch(/^checkline-bulk-\d{4}-\d{2}-\d{2}\.csv$/);
  const rows = rowsOf(bytes);
  expect(rows.map((row) => [row["Column 1"], row["outcome"], row["number"]])).toStrictEqual([
    ["'+5511987654321", "valid", "'+5511987654321"],
    ["'020 7946 0018", "valid", "'+442079460018"],
    ["'+1202", "invalid", "'+1202"],
    ["'=1+20255501", "invalid", expect.any(String)],
    ["'+5511987654321", "valid", "'+5511987654321"],
    ["'+12025550123", "valid", "'+12025550123"],
  ]);
  expect(rows[0]).toMatchObject({ country_code: "BR", line_type: "mobile", time_zones: "America/Sao_Paulo" });
  expect(rows.map((row) => [row["accepted"], row["rejected_because"]])).toStrictEqual([
    ["true", ""],
    ["false", "OTHER_TYPE"],
    ["false", "INVALID_NUMBER"],
    ["false", "INVALID_NUMBER"],
    ["true", ""],
    ["true", ""],
  ]);
  // It stays until it is deleted.
  await expect.poll(() => keptOf(page)).toStrictEqual({ rows: 6, results: 5 });
  await page.getByText(/^Kept in this browser until [A-Z][a-z]{2} \d+, \d{4}, or until you log out\./).waitFor();
  // Each distinct number is counted once, as live.
  await waitForUsage(site, account.token, 5);
  expect((await reportOf(site, account.token, "days=7&mode=live")).days.at(-1)).toMatchObject({
    total: 5,
    successful: 3,
  });
  await press(page, "Delete the results");
  await expect.poll(() => page.getByLabel("Numbers", { exact: true }).inputValue()).toBe(MIXED.join("\n"));
  await expect.poll(() => keptOf(page)).toBeNull();
});

test("a suggestion is accepted after the page says what that costs, for a row or for all", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, account, BULK);
  await fillIn(page, ["5511987654321", "447773681930", "+12025550123", "5511987654321"]);
  await start(page);
  await phase(page, "done");
  await page.getByText("3 rows have a suggestion: the number that was probably meant.").waitFor();
  await press(page, "Accept +447773681930 for row 2");
  const question = page.getByRole("alertdialog", { name: "Accept +447773681930?" });
  await question
    .getByText("This looks up 1 number. It counts as a verification if it’s valid. You have 999 left.")
    .waitFor();
  await question.getByRole("button", { name: "Accept" }).click();
  await expect.poll(() => counts(page)).toStrictEqual(["2", "2", "0", "0"]);
  await page.getByText("2 rows have a suggestion: the number that was probably meant.").waitFor();
  await press(page, "Accept all");
  await page
    .getByRole("alertdialog", { name: "Accept 2 suggestions?" })
    .getByRole("button", { name: "Accept" })
    .click();
  await expect.poll(() => counts(page)).toStrictEqual(["4", "0", "0", "0"]);
  await page.reload();
  await phase(page, "done");
  await expect.poll(() => counts(page)).toStrictEqual(["4", "0", "0", "0"]);
  await waitForUsage(site, account.token, 5);
});

test("a workbook comes back with every row, column, and character", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, account, BULK);
  const day = new Date(Date.UTC(2026, 0, 31));
  const rows = [
    ["id", "phone", "since"],
    ["007", "+5511987654321", day],
    [],
    ["008", 5511987654321, null],
    ["009", "4.15556E+11", "=1+1"],
  ];
  const sheets = [
    { name: "Cover", rows: [["A cover"]] },
    { name: "People", rows },
  ];
  await choose(page, "people.xlsx", await writeXlsx({ sheets }));
  await page.getByLabel("Sheet").selectOption("People");
  await page.getByText("4 rows · 2 numbers to verify · 1 skipped · 1 empty").waitFor();
  await page.getByText(/^1 row has a number that a spreadsheet shortened, like 4.15556E\+11/).waitFor();
  await page.getByText(/^1 row has a number without a plus sign and calling code/).waitFor();
  await press(page, "Verify 2 numbers");
  await phase(page, "done");
  await expect.poll(() => counts(page)).toStrictEqual(["1", "1", "2", "0"]);
  await page
    .getByText(/A spreadsheet may have removed its plus sign/)
    .filter({ visible: true })
    .first()
    .waitFor();
  await expect.poll(() => page.getByLabel("Format").inputValue()).toBe("xlsx");
  const { name, bytes } = await download(page, "Excel workbook (.xlsx)");
  expect(name).toMatch(/\.xlsx$/);
  const [head, ...lines] = (await readXlsx(bytes)).sheets[0]!.rows;
  expect(head?.slice(0, 5)).toStrictEqual(["id", "phone", "since", "outcome", "valid"]);
  expect(lines.map((line) => line.slice(0, 6))).toStrictEqual([
    ["007", "+5511987654321", day, "valid", true, "+5511987654321"],
    [null, null, null, "not_sent", null, null],
    ["008", 5511987654321, null, "invalid", false, null],
    ["009", "4.15556E+11", "=1+1", "not_sent", null, null],
  ]);
});

test("a file's column is detected, another can be chosen, and the button agrees", async () => {
  const account = await createSignedIn(site.worker.db);
  const page = await openDashboard(site, account, BULK);
  await dropFile(
    page,
    "contacts.csv",
    "\uFEFFname;home;mobile\r\nAna;;+5511987654321\r\nBob;+33123456789;+12025550123\r\n",
  );
  const list = page.getByRole("region", { name: "The list" });
  const column = list.getByLabel("Phone number column");
  await expect.poll(() => column.inputValue()).toBe("2");
  await expect.poll(() => column.locator("option").allInnerTexts()).toStrictEqual(["name", "home", "mobile"]);
  await expect.poll(() => list.getByLabel("First row is a header").isChecked()).toBe(true);
  await page.getByRole("button", { name: "Verify 2 numbers" }).waitFor();
  await column.selectOption("home");
  await page.getByText("2 rows · 1 number to verify · 1 empty").waitFor();
  await page.getByRole("button", { name: "Verify 1 number", exact: true }).waitFor();
  await list.getByLabel("First row is a header").click();
  await page.getByText("3 rows · 2 numbers to verify").waitFor();
  await page.getByText("1 row has no digits. We’ll skip it.").waitFor();
  await press(page, "Remove");
  await expect.poll(() => page.evaluate("document.activeElement.type")).toBe("file");
  await page.getByRole("button", { name: "Verify numbers" }).waitFor();
});

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The thread's own time, in microseconds: without what a busy machine adds. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** Traces the page's main thread. Returns the longest task since, in milliseconds of the thread's own time. */
async function traceTasks(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  await session.send("Tracing.start", { traceConfig: { includedCategories: ["toplevel", "devtools.timeline"] } });
  return async () => {
    const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
    await session.send("Tracing.end");
    await complete;
    const mains = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
    const tasks = events.filter(
      ({ name, pid, tid }) => name.endsWith("RunTask") && mains.some((main) => main.pid === pid && main.tid === tid),
    );
    return tasks.reduce((most, { tdur = 0 }) => Math.max(most, tdur / 1000), 0);
  };
}

test("a hundred thousand rows never hold the page for more than 50 ms", async () => {
  const account = await createSignedIn(site.worker.db, { plan: "pro" });
  const page = await openDashboard(site, account, BULK);
  const numbers = validNumbers(300);
  // The file is created before the measurement, which covers only the page's work.
  await page.evaluate(`
    const numbers = ${JSON.stringify(numbers)};
    const lines = Array.from({ length: 100_000 }, (_, at) => at + ",Name " + at + "," + numbers[at % 300] + ',São Paulo,"a, b"');
    window.transfer = new DataTransfer();
    window.transfer.items.add(new File(["id,name,phone,city,note\\n" + lines.join("\\n") + "\\n"], "large.csv"));
  `);
  await page.getByRole("button", { name: "Verify numbers" }).waitFor();
  const longest = await traceTasks(page);
  await page.evaluate(`document.querySelector("[data-drop]").dispatchEvent(
    new DragEvent("drop", { dataTransfer: window.transfer, bubbles: true, cancelable: true }))`);
  await page.getByText("100,000 rows · 300 numbers to verify · 99,700 repeated, verified once").waitFor();
  await start(page);
  await phase(page, "done");
  await expect.poll(async () => (await counts(page))[0]).toBe("100,000");
  await expect.poll(() => shownInputs(page)).toHaveLength(25);
  await press(page, "Next");
  await page.getByText("26–50 of 100,000").waitFor();
  await page.getByLabel("Search the results").fill(numbers[7]!);
  await page.getByText("1–25 of 334").waitFor();
  const { bytes } = await download(page, "CSV for programs", /^Download 100,000 rows$/);
  expect(bytes.toString("utf8").trimEnd().split("\n")).toHaveLength(100_001);
  const most = await longest();
  console.log(`100,000 rows: the page's longest task took ${Math.round(most)} ms.`);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(50);
});
