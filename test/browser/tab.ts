import type { Browser, BrowserContext, CDPSession, Page, Request } from "playwright-core";
import { CLOCK } from "../day.ts";
import { WATCH_REACT } from "./live.ts";

export interface TabOptions {
  readonly theme?: "light" | "dark";
  readonly width?: number;
  readonly height?: number;
  readonly javaScript?: boolean;
  readonly reducedMotion?: boolean;
}

/** A page, and the problems in its profile. */
export interface Tab {
  readonly page: Page;
  /** One sentence each, in order of occurrence; a test removes those it expects. */
  readonly problems: string[];
}

/** Runs in the page: reports Content-Security-Policy violations, with the directive and what was blocked. */
const REPORT_VIOLATIONS = `
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
    console.error("CSP " + effectiveDirective + " blocked " + blockedURI + " in " + sourceFile + ":" + lineNumber);
  });
`;

/** A page's requests without a complete response. */
const underWay = new WeakMap<Page, Set<Request>>();

/** How many requests a page is waiting for. */
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
    // The response handler reports the same, with its status.
    if (message.text().startsWith("Failed to load resource")) return;
    problems.push(`console ${message.type()}: ${message.text()}`);
  });
  context.on("weberror", (error) => problems.push(`page error: ${String(error.error().stack ?? error.error())}`));
  context.on("request", (request) => {
    if (isForeign(request.url())) problems.push(`request to another origin: ${request.method()} ${request.url()}`);
  });
  context.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // Requests aborted by navigation, and scripts of a page without JavaScript.
    if (reason === "net::ERR_ABORTED" || (!javaScript && reason === "csp")) return;
    problems.push(`request failed: ${request.url()} ${reason}`);
  });
  context.on("response", (response) => {
    if (response.status() >= 400) problems.push(`answer ${response.status()}: ${response.url()}`);
  });
}

/** A browser profile with all its tabs monitored. */
export interface Profile {
  readonly context: BrowserContext;
  /** Those of its tabs. */
  readonly problems: string[];
}

/** Opens an empty profile; relative addresses are resolved against `origin`. */
async function openProfile(browser: Browser, origin: string, { javaScript = true } = {}): Promise<Profile> {
  const context = await browser.newContext({ baseURL: origin, javaScriptEnabled: javaScript });
  const problems: string[] = [];
  watch(context, { origin, javaScript, problems });
  context.on("page", countRequests);
  await context.addInitScript({ content: CLOCK + REPORT_VIOLATIONS + WATCH_REACT });
  return { context, problems };
}

/** A profile reused by many tests, one after another. */
export interface SharedProfile extends Profile {
  /** A permanent tab, used to empty the profile. */
  readonly home: Page;
  /** To that tab. */
  readonly session: CDPSession;
}

/** Opens an empty profile that can be emptied. */
export async function openSharedProfile(browser: Browser, origin: string): Promise<SharedProfile> {
  const profile = await openProfile(browser, origin);
  const home = await profile.context.newPage();
  return { ...profile, home, session: await profile.context.newCDPSession(home) };
}

/** Empties a profile, except for its file cache: without it, each test would load the site five times slower. */
export async function emptyProfile({ context, problems, session }: SharedProfile, origin: string): Promise<void> {
  await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
  await Promise.all([context.clearCookies(), context.clearPermissions(), context.setOffline(false)]);
  problems.length = 0;
}

/** Closes a test's tabs. */
export async function closeTabs({ context, home }: SharedProfile): Promise<void> {
  await Promise.all(context.pages().map((page) => page !== home && page.close()));
}

/** Opens a tab in a profile. */
export async function openTabIn({ context, problems }: Profile, options: TabOptions = {}): Promise<Tab> {
  const { theme = "light", width = 1440, height = 900, reducedMotion = true } = options;
  const page = await context.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: reducedMotion ? "reduce" : "no-preference" });
  return { page, problems };
}

/** Opens a tab in a new profile. */
export async function openTab(browser: Browser, origin: string, options: TabOptions = {}): Promise<Tab> {
  return openTabIn(await openProfile(browser, origin, options), options);
}
