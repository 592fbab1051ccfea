import type { Page, Route } from "playwright-core";

/** A mocked API response; without a body, just the status. */
interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

function isCallOf(path: string): (url: URL) => boolean {
  return ({ pathname }) => pathname === `/api/v1${path}`;
}

function fulfil(route: Route, { status, body, headers = {} }: Answer): Promise<void> {
  const text = body === undefined ? "" : JSON.stringify(body);
  return route.fulfill({ status, headers: { "Content-Type": "application/json", ...headers }, body: text });
}

/** Mocks every call to an API path below `/api/v1`. Returns the bodies of the calls as they come in. */
export async function answerCalls(page: Page, path: string, answer: Answer): Promise<string[]> {
  const calls: string[] = [];
  await page.route(isCallOf(path), (route) => {
    calls.push(route.request().postData() ?? "");
    return fulfil(route, answer);
  });
  return calls;
}

/**
 * Holds the calls to a path until `release`. A call that arrives later gets the response immediately: a button is busy
 * before its call gets here.
 */
export async function holdCalls(page: Page, path: string, answer: Answer) {
  const held: Route[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(isCallOf(path), async (route) => {
    held.push(route);
    await gate.promise;
    // The page may have aborted the call.
    await fulfil(route, answer).catch(() => {});
  });
  return { held, release: gate.resolve };
}

/** Makes the calls to a path fail as if offline. */
export async function cutOff(page: Page, path: string): Promise<void> {
  await page.route(isCallOf(path), (route) => route.abort("connectionrefused"));
}

/** The problem that the test's tab reports for an offline call. */
export const CUT_OFF = /^request failed: .*ERR_CONNECTION_REFUSED$/;

/** The newest toast's title, plus its description if any. For polling: toasts close automatically. */
export function readToast(page: Page): Promise<string[]> {
  const shown = page.locator('[data-sonner-toast][data-front="true"]');
  return shown.locator("[data-title], [data-description]").allInnerTexts();
}

/** The whole text of a toast with this title, once it appears, whether or not it is the newest. */
export async function toastText(page: Page, title: string): Promise<string> {
  const toast = page.locator("[data-sonner-toast]").filter({ hasText: title }).first();
  await toast.waitFor();
  return toast.innerText();
}

/** Fields with their messages, by field name. */
export function complaints(page: Page): Promise<Record<string, string>> {
  return page.evaluate<Record<string, string>>(`
    Object.fromEntries([...document.querySelectorAll("input[aria-invalid=true]")].map((input) =>
      [input.name, document.getElementById(input.getAttribute("aria-describedby")).textContent]))
  `);
}

/** Fills in fields by name. */
export async function fillIn(page: Page, values: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await page.locator(`input[name="${name}"]`).fill(value);
}

/** The fields' values, by name. */
export function fieldValues(page: Page): Promise<Record<string, string>> {
  return page.evaluate<Record<string, string>>(`Object.fromEntries(new FormData(document.querySelector("form")))`);
}

/** Stops the page's clock, installed by `page.clock.install`. From here on, it only runs with `page.clock.runFor`. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 10_000);
}

/** Keeps a page from redirecting during longer inspections. axe needs a running clock. */
export async function stayHere(page: Page, after: number): Promise<void> {
  await page.addInitScript(`{
    const start = window.setTimeout;
    window.setTimeout = (handler, delay, ...rest) => (delay === ${after} ? 0 : start(handler, delay, ...rest));
  }`);
}
