import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { startWorker } from "../harness.ts";
import type { TestWorker } from "../harness.ts";
import { launchChromium } from "./chromium.ts";
import { closeTabs, emptyProfile, openSharedProfile, openTab, openTabIn } from "./tab.ts";
import type { SharedProfile, Tab, TabOptions } from "./tab.ts";

export interface Site {
  /** The site's origin, without a trailing slash. */
  readonly origin: string;
  readonly worker: TestWorker;
  readonly fetch: TestWorker["fetch"];
  /** A page in an empty profile, closed after the test. */
  newPage(options?: TabOptions): Promise<Page>;
  /** Expects problems: matching ones don't fail the test, and without a match it fails. */
  expectProblem(pattern: RegExp): void;
}

interface SharedBrowser {
  readonly browser: Browser;
  /** The profile of each test's first page. */
  profile?: SharedProfile | undefined;
}

/** The browser that all test files of a process share; null where there is none. */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures this one needs.
const testWithBrowser = test.extend("shared", { scope: "worker" }, async ({}, { onCleanup }) => {
  const chromium = inject("chromium");
  if ("missing" in chromium) return null;
  const shared: SharedBrowser = { browser: await launchChromium(chromium) };
  onCleanup(() => shared.browser.close());
  return shared;
});

/** A profile that later tests reuse, until one installs a clock, which stays for good. */
async function openProfileOf(shared: SharedBrowser, origin: string): Promise<SharedProfile> {
  const profile = await openSharedProfile(shared.browser, origin);
  const { clock } = profile.context;
  const install = clock.install.bind(clock);
  clock.install = (options) => {
    shared.profile = undefined;
    return install(options);
  };
  return profile;
}

/** Recorded problems that the test does not expect. */
function surprises(problems: readonly string[], patterns: readonly RegExp[]): string[] {
  return problems.filter((problem) => !patterns.some((pattern) => pattern.test(problem)));
}

/** Expected problems that were not recorded. */
function missing(problems: readonly string[], patterns: readonly RegExp[]): string[] {
  return patterns
    .filter((pattern) => !problems.some((problem) => pattern.test(problem)))
    .map((pattern) => `expected, and did not happen: ${pattern}`);
}

/**
 * The built site with an empty database, and a browser, for one test file. After each test, any problem in its pages
 * fails it: console errors and warnings, blocked scripts, failed requests, and requests to another origin.
 */
export function openSite(): Site {
  const chromium = inject("chromium");
  const worker = startWorker();
  let running: SharedBrowser | undefined;
  let tabs: Tab[] = [];
  let expected: RegExp[] = [];

  testWithBrowser.beforeAll(({ shared }) => {
    running = shared ?? undefined;
  });
  /** Closes a profile, or just the tabs of one that the next test empties and reuses. */
  async function close(context: BrowserContext): Promise<void> {
    const profile = running?.profile;
    await (context === profile?.context ? closeTabs(profile) : context.close());
  }

  beforeEach(({ skip }) => {
    if ("missing" in chromium) skip(chromium.missing);
  });
  afterEach(async () => {
    const problems = () => tabs.flatMap((tab) => tab.problems);
    // Gives the browser time to report.
    await tabs[0]?.page.waitForTimeout(20);
    await vi.waitUntil(() => missing(problems(), expected).length === 0, 5000).catch(() => {});
    const failures = [...surprises(problems(), expected), ...missing(problems(), expected)];
    await Promise.all(tabs.map(({ page }) => close(page.context())));
    tabs = [];
    expected = [];
    expect(failures, "went wrong in the browser").toStrictEqual([]);
  });

  return {
    get origin() {
      return new URL(worker.url).origin;
    },
    worker,
    fetch: worker.fetch,
    async newPage(options) {
      if (running === undefined) throw new Error("The browser has not started yet");
      const { origin } = new URL(worker.url);
      const isShared = tabs.length === 0 && options?.javaScript !== false;
      if (isShared) {
        running.profile ??= await openProfileOf(running, origin);
        await emptyProfile(running.profile, origin);
      }
      const tab = isShared
        ? await openTabIn(running.profile!, options)
        : await openTab(running.browser, origin, options);
      tabs.push(tab);
      return tab.page;
    },
    expectProblem(pattern) {
      expected.push(pattern);
    },
  };
}
