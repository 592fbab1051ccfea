import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { WATCH_REACT } from "./live.ts";

export interface TabOptions {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly javaScript?: boolean;
  readonly reducedMotion?: boolean;
}

/** A page in a profile of its own, and what went wrong in it. */
export interface Tab {
  readonly page: Page;
  /** One sentence each, in the order in which they were seen; a test takes out what it expects. */
  readonly problems: string[];
}

/** Runs in the page: reports what the Content-Security-Policy blocks, with the directive and what it was about. */
const REPORT_VIOLATIONS = `
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
    console.error("CSP " + effectiveDirective + " blocked " + blockedURI + " in " + sourceFile + ":" + lineNumber);
  });
`;

/** The requests of a page that have no whole answer yet. */
const underWay = new WeakMap<Page, Set<Request>>();

/** How many requests a page waits for. */
export function requestsUnderWay(page: Page): number {
  return underWay.get(page)?.size ?? 0;
}

function countRequests(page: Page): void {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on("request", (request) => requests.add(request));
  page.on("requestfinished", (request) => requests.delete(request));
  page.on("requestfailed", (request) => requests.delete(request));
}

interface Watch {
  readonly origin: string;
  readonly javaScript: boolean;
  readonly problems: string[];
}

function watch(context: BrowserContext, { origin, javaScript, problems }: Watch): void {
  function isForeign(url: string): boolean {
    return /^(https?|wss?):/.test(url) && new URL(url).origin !== origin;
  }
  context.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    // The same is told by the answer itself, with its status.
    if (message.text().startsWith("Failed to load resource")) return;
    problems.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => problems.push(`page error: ${String(error.error().stack ?? error.error())}`));
  context.on("request", (request) => {
    if (isForeign(request.url())) problems.push(`request to another origin: ${request.method()} ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // What a page had not finished when it was left, and the scripts of a page that may run none.
    if (reason === "net::ERR_ABORTED" || (!javaScript && reason === "csp")) return;
    problems.push(`request failed: ${request.url()} ${reason}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) problems.push(`answer ${response.status()}: ${response.url()}`);
  });
}

/** Opens a tab at the site, with everything in it watched; relative addresses are resolved against `origin`. */
export async function openTab(browser: Browser, origin: string, options: TabOptions = {}): Promise<Tab> {
  const { theme = "light", width = 1440, height = 900, javaScript = true, reducedMotion = true } = options;
  const context = await browser.newContext({
    baseURL: origin,
    colorScheme: theme,
    viewport: { width, height },
    javaScriptEnabled: javaScript,
    reducedMotion: reducedMotion ? "reduce" : "no-preference",
  });
  const problems: string[] = [];
  watch(context, { origin, javaScript, problems });
  context.on("page", countRequests);
  await context.addInitScript({ content: REPORT_VIOLATIONS + WATCH_REACT });
  return { page: await context.newPage(), problems };
}
