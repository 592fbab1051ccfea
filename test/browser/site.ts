import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, vi } from "vitest";
import type { Settings } from "../../worker/platform/config.ts";
import { openWorker } from "../worker.ts";
import type { RunningWorker } from "../worker.ts";
import { launchChromium } from "./chromium.ts";
import { openTab } from "./tab.ts";
import type { Tab, TabOptions } from "./tab.ts";

export interface Site {
  /** Where the site is, without a slash at the end. */
  readonly origin: string;
  readonly worker: RunningWorker;
  readonly fetch: RunningWorker["fetch"];
  /** A page in a profile of its own, closed after the test. */
  newPage(options?: TabOptions): Promise<Page>;
  /** Expects problems: those that match are no reason to fail, and without one that matches the test fails. */
  expectProblem(pattern: RegExp): void;
}

/** What was recorded, without what the test expects. */
function surprises(problems: readonly string[], patterns: readonly RegExp[]): string[] {
  return problems.filter((problem) => !patterns.some((pattern) => pattern.test(problem)));
}

/** What the test expects and was not recorded. */
function missing(problems: readonly string[], patterns: readonly RegExp[]): string[] {
  return patterns
    .filter((pattern) => !problems.some((problem) => pattern.test(problem)))
    .map((pattern) => `expected, and did not happen: ${pattern}`);
}

/**
 * The built site on a worker of its own, and a browser, for one test file. After each test, whatever went wrong in its pages
 * fails it: errors and warnings of the console, blocked scripts, failed requests, and requests to another origin.
 */
export function openSite(settings?: Settings): Site {
  const chromium = inject("chromium");
  let running: { readonly worker: RunningWorker; readonly browser: Browser; readonly origin: string } | undefined;
  let tabs: Tab[] = [];
  let expected: RegExp[] = [];

  beforeAll(async () => {
    if ("missing" in chromium) return;
    const [worker, browser] = await Promise.all([openWorker(settings), launchChromium(chromium)]);
    running = { worker, browser, origin: new URL(worker.url).origin };
  });
  afterAll(async () => {
    await running?.browser.close();
    await running?.worker.close();
  });
  beforeEach(({ skip }) => {
    if ("missing" in chromium) skip(chromium.missing);
  });
  afterEach(async () => {
    const problems = () => tabs.flatMap((tab) => tab.problems);
    // What the browser is about to report.
    await tabs[0]?.page.waitForTimeout(20);
    await vi.waitUntil(() => missing(problems(), expected).length === 0, 5000).catch(() => {});
    const failures = [...surprises(problems(), expected), ...missing(problems(), expected)];
    await Promise.all(tabs.map((tab) => tab.page.context().close()));
    tabs = [];
    expected = [];
    expect(failures, "went wrong in the browser").toStrictEqual([]);
  });

  function started() {
    if (running === undefined) throw new Error("The site has not started yet");
    return running;
  }
  return {
    get origin() {
      return started().origin;
    },
    get worker() {
      return started().worker;
    },
    fetch: (path, init) => started().worker.fetch(path, init),
    async newPage(options) {
      const tab = await openTab(started().browser, started().origin, options);
      tabs.push(tab);
      return tab.page;
    },
    expectProblem(pattern) {
      expected.push(pattern);
    },
  };
}
