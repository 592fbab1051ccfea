/**
 * Measures the built site with Lighthouse on a simulated phone, and fails below the goals: `npm run lighthouse`. Needs
 * a running `npm start`, which compresses like the platform; `--url` sets another address. npx downloads Lighthouse,
 * which is not a dependency.
 */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Chromium } from "../test/browser/chromium.ts";
import { PAGES, SITE_PAGES } from "../web/pages.ts";
import { parseArguments, runMain } from "./arguments.ts";
import { withSite } from "./local/site-browser.ts";

const LIGHTHOUSE = "lighthouse@13.5.0";
/** The dashboard requires a session, which Lighthouse doesn't have. */
const PUBLIC_PAGES = PAGES.filter(({ path }) => !path.startsWith("/dashboard"));
const RUNS = 3;
/** For pages of the site: the docs have their console and the forms their checks. */
const MAX_SCRIPT_BYTES = 150_000;
const MAX_SHIFT = 0.02;

/** The lowest acceptable score out of 100. */
const GOALS = { performance: 97, accessibility: 100, "best-practices": 100, seo: 100 } as const;
type Category = keyof typeof GOALS;
const CATEGORIES = Object.keys(GOALS) as Category[];

/** The parts of Lighthouse's report that this script uses. */
interface Report {
  readonly categories: Readonly<
    Record<Category, { readonly score: number | null; readonly auditRefs: { id: string }[] }>
  >;
  readonly audits: Readonly<
    Record<
      string,
      {
        readonly title: string;
        readonly score: number | null;
        readonly scoreDisplayMode: string;
        readonly numericValue?: number;
        readonly details?: { readonly items?: readonly { readonly url?: string; readonly resourceType?: string }[] };
      }
    >
  >;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

async function measure(url: string, { path, env }: Chromium): Promise<Report> {
  const args = ["--yes", LIGHTHOUSE, url, "--quiet", "--output=json", "--no-enable-error-reporting"];
  args.push(`--only-categories=${CATEGORIES.join(",")}`);
  args.push("--chrome-flags=--headless --no-sandbox --disable-gpu --disable-quic --disable-background-networking");
  const { stdout } = await promisify(execFile)("npx", args, {
    env: { ...process.env, ...env, CHROME_PATH: path },
    maxBuffer: 200_000_000,
    shell: process.platform === "win32",
  });
  return JSON.parse(stdout) as Report;
}

/** The size of the scripts a visit loads, in gzipped bytes without headers. */
async function scriptBytes(report: Report): Promise<number> {
  const requests = report.audits["network-requests"]?.details?.items ?? [];
  const urls = new Set(requests.filter((request) => request.resourceType === "Script").map((request) => request.url!));
  const sizes = await Promise.all([...urls].map(async (url) => gzipSync(await (await fetch(url)).text()).length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function scoreOf(report: Report, category: Category): number {
  return Math.round((report.categories[category].score ?? 0) * 100);
}

/** The audits that cost points in the categories that must be perfect. */
function failedAudits(report: Report): string[] {
  const ids = CATEGORIES.filter((category) => GOALS[category] === 100).flatMap((category) =>
    scoreOf(report, category) < 100 ? report.categories[category].auditRefs.map((ref) => ref.id) : [],
  );
  return ids.flatMap((id) => {
    const audit = report.audits[id];
    return audit?.scoreDisplayMode === "binary" && audit.score === 0 ? [`${id}: ${audit.title}`] : [];
  });
}

/** Prints one line for the path; returns whether it meets the goals. */
async function check(origin: string, path: string, chromium: Chromium): Promise<boolean> {
  const reports: Report[] = [];
  while (reports.length < RUNS) reports.push(await measure(origin + path, chromium));
  const scores = CATEGORIES.map((category) => ({
    category,
    score: median(reports.map((report) => scoreOf(report, category))),
  }));
  const shift = median(reports.map((report) => report.audits["cumulative-layout-shift"]?.numericValue ?? 0));
  const bytes = await scriptBytes(reports[0]!);
  const line = scores.map(({ category, score }) => `${category} ${score}`).join(", ");
  console.log(`${path}: ${line}, shift ${shift.toFixed(3)}, scripts ${(bytes / 1000).toFixed(1)} kB`);
  for (const audit of new Set(reports.flatMap(failedAudits))) console.log(`  ${audit}`);
  // Forms and email links are hidden from search engines, which costs points.
  const isListed = PUBLIC_PAGES.some((page) => page.path === path && page.inSitemap);
  const good = scores.every(({ category, score }) => score >= GOALS[category] || (category === "seo" && !isListed));
  return good && shift < MAX_SHIFT && (bytes < MAX_SCRIPT_BYTES || !SITE_PAGES.some((page) => page.path === path));
}

await runMain(async () => {
  const { values } = parseArguments({ options: { url: { type: "string" }, paths: { type: "string" } } });
  await withSite(values.url ?? "http://localhost:8787", async (origin, chromium) => {
    for (const path of values.paths?.split(",") ?? PUBLIC_PAGES.map((page) => page.path)) {
      if (!(await check(origin, path, chromium))) process.exitCode = 1;
    }
  });
});
