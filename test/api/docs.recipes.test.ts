import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { sdkFolder } from "../../sdks/files.ts";
import { builtSamples, SAMPLES_FOLDER, withOrigin } from "../docs-samples.ts";
import { createKey } from "../factories.ts";
import { startWorker } from "../harness.ts";
import { run, whyMissing } from "../programs.ts";
import { startStandIn, TROUBLES } from "../trouble.ts";

const worker = startWorker();
const standIn = startStandIn();
const folder = mkdtempSync(join(tmpdir(), "docs-recipe-"));
afterAll(() => rmSync(folder, { recursive: true }));

const recipes = builtSamples().filter(({ page }) => page === "recipes");

function recipe(title: string) {
  const found = recipes.find((sample) => sample.title === title);
  if (found === undefined) throw new Error(`There is no recipe ${title}.`);
  return found;
}

test("the recipe for Python cleans a file", async ({ skip }) => {
  const missing = whyMissing("python3");
  if (missing !== null) skip(missing);
  const { code, next } = recipe("clean.py");
  cpSync(join(SAMPLES_FOLDER, "list.csv"), join(folder, "list.csv"));
  writeFileSync(join(folder, "clean.py"), code);
  const env = {
    CHECKLINE_API_KEY: await createKey(worker.db, "live"),
    CHECKLINE_BASE_URL: worker.url.replace(/\/$/, ""),
    PYTHONPATH: join(sdkFolder("python"), "src"),
    PYTHONDONTWRITEBYTECODE: "1",
  };
  const { exit, stdout, stderr } = await run("python3", ["clean.py"], { cwd: folder, env });
  expect({ exit, stderr, stdout: stdout.trimEnd() }).toStrictEqual({ exit: 0, stderr: "", stdout: next?.code });
  expect(readFileSync(join(folder, "clean.csv"), "utf8")).toBe(
    "Name,Phone\r\nAna,+5511987654321\r\nBen,+442079460018\r\n",
  );
});

/** Stands in for the services of Google Sheets, whose calls are synchronous; each is a separate program. */
const SHEETS = `
import { execFileSync } from "node:child_process";
const PropertiesService = {
  getScriptProperties: () => ({ getProperty: (name) => process.env[name] ?? null }),
};
const calls = [];
const UrlFetchApp = {
  fetch(url, { method, contentType, headers, payload, muteHttpExceptions }) {
    if (muteHttpExceptions !== true) throw new Error("A failed request throws without its body.");
    calls.push(JSON.parse(payload));
    const init = { method, headers: { ...headers, "Content-Type": contentType }, body: payload };
    const program = "fetch(...JSON.parse(process.argv[1])).then(async (r) => console.log(JSON.stringify([r.status, await r.text()])))";
    const [status, text] = JSON.parse(execFileSync(process.execPath, ["-e", program, JSON.stringify([url, init])]));
    return { getResponseCode: () => status, getContentText: () => text };
  },
};
`;

/** What the function returns for a call, as its source, and what it sent. */
async function inSheets(
  call: string,
  key: string,
  origin = worker.url,
): Promise<{ returned: unknown; calls: unknown[] }> {
  const { code } = recipe("Code.gs");
  const ending = `
let returned;
try { returned = ${call}; } catch (error) { returned = error.message; }
console.log(JSON.stringify({ returned, calls }));`;
  writeFileSync(join(folder, "sheet.mjs"), SHEETS + withOrigin(code, origin.replace(/\/$/, "")) + ending);
  const env = { CHECKLINE_API_KEY: key };
  const { exit, stdout, stderr } = await run(process.execPath, ["sheet.mjs"], { cwd: folder, env });
  expect({ exit, stderr }).toStrictEqual({ exit: 0, stderr: "" });
  return JSON.parse(stdout) as { returned: unknown; calls: unknown[] };
}

test("the function for Google Sheets verifies a cell, and a column with blanks and repetitions", async () => {
  const key = await createKey(worker.db, "live");
  const cell = await inSheets('CHECKLINE("020 7946 0018", "GB")', key);
  expect(cell).toStrictEqual({
    returned: [["+442079460018"]],
    calls: [{ numbers: ["020 7946 0018"], country: "GB" }],
  });
  // Sheets passes numeric cells as numbers and blank ones as empty strings.
  const column = await inSheets('CHECKLINE([["+5511987654321"], [""], [5511987654321], ["+5511987654321"]])', key);
  expect(column).toStrictEqual({
    returned: [["+5511987654321"], [""], ["MISSING_COUNTRY_CODE"], ["+5511987654321"]],
    calls: [{ numbers: ["+5511987654321", "5511987654321"] }],
  });
  const blank = await inSheets('CHECKLINE([[""], [""]], "US")', key);
  expect(blank).toStrictEqual({ returned: [[""], [""]], calls: [] });
});

test("the function for Google Sheets sends a hundred numbers at a time, and shows an error", async () => {
  const column = JSON.stringify(Array.from({ length: 101 }, (_, at) => [`+1202555${String(at).padStart(4, "0")}`]));
  const many = await inSheets(`CHECKLINE(${column})`, await createKey(worker.db, "live"));
  expect(many.calls.map((call) => (call as { numbers: string[] }).numbers.length)).toStrictEqual([100, 1]);
  expect(many.returned).toHaveLength(101);
  const { returned } = await inSheets('CHECKLINE("+1")', "ch_live_none");
  expect(returned).toMatch(/^INVALID_API_KEY: /);
  const sandbox = await inSheets('CHECKLINE([["12"], ["+12025550109"]], "US")', await createKey(worker.db, "test"));
  expect(sandbox.returned).toStrictEqual([["TOO_SHORT"], ["REJECTED_SUBSCRIBER_ABSENT"]]);
});

test.each(TROUBLES)("the function for Google Sheets shows no number as good: %s", async (trouble) => {
  standIn.trouble = trouble;
  const { returned } = await inSheets('CHECKLINE("+12025550123")', "ch_test_none", standIn.origin);
  if (trouble === "invalid") expect(returned).toStrictEqual([["TOO_SHORT"]]);
  else expect(returned).toContain(`${trouble}: `);
});
