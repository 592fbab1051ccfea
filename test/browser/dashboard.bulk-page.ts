import type { Page } from "playwright-core";

export const BULK = "/dashboard/bulk";
/** The calls of a check. */
export const CALLS = "**/api/v1/account/verify";

/** Distinct valid numbers: mobile numbers of São Paulo. */
export function validNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `+55119${String(81_000_000 + at * 7)}`);
}

export async function fillIn(page: Page, numbers: readonly string[]): Promise<void> {
  await page.getByLabel("Numbers", { exact: true }).fill(numbers.join("\n"));
}

/** A file for the chooser. */
function fileOf(name: string, content: string | Uint8Array) {
  return { name, mimeType: "", buffer: Buffer.from(content) };
}

export async function choose(page: Page, name: string, content: string | Uint8Array): Promise<void> {
  await page.locator("input[type=file]").setInputFiles(fileOf(name, content));
}

export async function start(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Verify [\d,]+ numbers?$/ }).click();
}

export async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click();
}

/** Waits until the check is in a phase, and returns the page's description of it. */
export async function phase(page: Page, name: string): Promise<string> {
  const line = page.locator(`[data-phase=${name}]`);
  await line.waitFor();
  // Its sentence, unless the heading is enough.
  return (await line.locator("p, p + div").allInnerTexts()).join(" ");
}

/** Rows that are valid, invalid, skipped, not verified. */
export async function counts(page: Page): Promise<string[]> {
  return Promise.all(
    ["Valid rows", "Invalid rows", "Skipped rows", "Rows not verified"].map((name) =>
      page.locator(`dl div:has(> dt:text-is("${name}")) dd`).innerText(),
    ),
  );
}

/** The inputs shown in the table. */
export async function shownInputs(page: Page): Promise<string[]> {
  return page.getByRole("table", { name: "Results" }).locator("[data-input]").allInnerTexts();
}

export type FormatName = "Excel workbook (.xlsx)" | "CSV for spreadsheets" | "CSV for programs";

/** Downloads rows with the button of this name, and waits until the page has recorded it. */
export async function download(page: Page, format: FormatName, name: RegExp = /^Download [\d,]+ rows?(,|$)/) {
  await page.getByLabel("Format").selectOption(format);
  const button = page.getByRole("button", { name });
  const [file] = await Promise.all([page.waitForEvent("download"), button.click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
}

/** Drops a file on the page's drop zone, or on something within. */
export async function dropFile(page: Page, name: string, content: string, on = "[data-drop]"): Promise<void> {
  const transfer = await page.evaluateHandle(
    `(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([${JSON.stringify(content)}], ${JSON.stringify(name)}, { type: "text/csv" }));
      return transfer;
    })()`,
  );
  await page.locator(on).dispatchEvent("drop", { dataTransfer: transfer });
}

/** Holds the check's next calls until the returned function is called. */
export async function holdCalls(page: Page): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  await page.route(CALLS, async (route) => {
    await gate.promise;
    // The page may have aborted the call.
    await route.continue().catch(() => {});
  });
  return async () => {
    gate.resolve();
    await page.unroute(CALLS);
  };
}

/** Pastes text into the list. */
export async function pasteList(page: Page, text: string): Promise<void> {
  await page.getByLabel("Numbers", { exact: true }).focus();
  await page.evaluate(
    `(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      const paste = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(paste);
    })()`,
  );
}

/** What the browser stores of a check: its rows and the numbers with results. */
export async function keptOf(page: Page): Promise<{ rows: number; results: number } | null> {
  return page.evaluate(`new Promise(async (resolve) => {
    const known = await indexedDB.databases();
    if (!known.some(({ name }) => name === "bulk-check")) return resolve(null);
    const request = indexedDB.open("bulk-check");
    request.onsuccess = () => {
      const database = request.result;
      if (!database.objectStoreNames.contains("info")) return database.close(), resolve(null);
      const stores = database.transaction(["info", "rows", "results"]);
      const all = (name) => new Promise((done) => {
        const read = stores.objectStore(name).getAll();
        read.onsuccess = () => done(read.result.flat());
      });
      Promise.all(["info", "rows", "results"].map(all)).then(([info, rows, results]) => {
        database.close();
        resolve(info.length === 0 ? null : { rows: rows.length, results: results.length });
      });
    };
  })`);
}

/** The id of the focused element, or else its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.id || document.activeElement.innerText");
}
