import type { Page } from "playwright-core";

/** So many numbers that are valid and differ: mobile numbers of São Paulo. */
export function validNumbers(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `+55119${String(81_000_000 + at * 7)}`);
}

export async function fillIn(page: Page, numbers: readonly string[], key: string): Promise<void> {
  await page.getByLabel("Numbers", { exact: true }).fill(numbers.join("\n"));
  await page.getByLabel("API key", { exact: true }).fill(key);
}

export async function start(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Check [\d,]+ numbers?$/ }).click();
}

/** Waits until the check is in a phase. */
export async function phase(page: Page, name: string): Promise<string> {
  const line = page.locator(`[data-phase=${name}]`);
  await line.waitFor();
  return line.innerText();
}

/** Valid, invalid, failed, not checked. */
export async function counts(page: Page): Promise<string[]> {
  return Promise.all(
    ["Valid", "Invalid", "Failed", "Not checked"].map((name) =>
      page.locator(`dl div:has(> dt:text-is("${name}")) dd`).innerText(),
    ),
  );
}

/** The inputs that the table shows. */
export async function shownInputs(page: Page): Promise<string[]> {
  return page.getByRole("table", { name: "Results" }).locator("[data-input]").allInnerTexts();
}

/** Drops a file on the page's place for it, or on something within. */
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

/** Holds back the next calls of the batch operation; the function lets them go. */
export async function holdBatches(page: Page): Promise<() => Promise<void>> {
  const gate = Promise.withResolvers<void>();
  await page.route("**/api/v1/verify/batch", async (route) => {
    await gate.promise;
    // The page may have given the call up.
    await route.continue().catch(() => {});
  });
  return async () => {
    gate.resolve();
    await page.unroute("**/api/v1/verify/batch");
  };
}

/** Pastes a text into the list. */
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

/** The id of what has the focus, or else its text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate("document.activeElement.id || document.activeElement.innerText");
}
