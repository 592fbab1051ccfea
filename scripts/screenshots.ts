/**
 * Takes full-page screenshots of the built site: `npm run screenshots -- --paths /,/help --widths 375 --themes dark`.
 * Starts the worker, with an empty database, unless `--url` has a running one.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { launchChromium } from "../test/browser/chromium.ts";
import { openTab } from "../test/browser/tab.ts";
import { PAGES } from "../web/pages.ts";
import { parseArguments, runMain } from "./arguments.ts";
import { ROOT } from "./local/run.ts";
import { withSite } from "./local/site-browser.ts";

const UNKNOWN_PATH = "/no-such-page";
const THEMES = ["light", "dark"] as const;

interface Shot {
  readonly path: string;
  readonly width: number;
  readonly theme: (typeof THEMES)[number];
}

function readOptions() {
  const { values } = parseArguments({
    options: {
      url: { type: "string" },
      out: { type: "string", default: join(ROOT, "build/screenshots") },
      paths: { type: "string", default: [...PAGES.map((page) => page.path), UNKNOWN_PATH].join(",") },
      widths: { type: "string", default: "375,768,1440" },
      themes: { type: "string", default: THEMES.join(",") },
    },
  });
  const themes = values.themes.split(",");
  const shots = values.paths.split(",").flatMap((path) =>
    values.widths.split(",").flatMap((width) =>
      THEMES.filter((theme) => themes.includes(theme)).map((theme): Shot => ({
        path,
        width: Number(width),
        theme,
      })),
    ),
  );
  return { url: values.url, out: values.out, shots };
}

async function take(browser: Browser, origin: string, { path, width, theme }: Shot, out: string): Promise<void> {
  const height = width < 600 ? 812 : 900;
  const { page, problems } = await openTab(browser, origin, { theme, width, height });
  await page.goto(path, { waitUntil: "load" });
  await page.evaluate("document.fonts.ready.then(() => {})");
  const name = path === "/" ? "home" : path.slice(1).replaceAll("/", "-");
  await page.screenshot({ path: join(out, `${name}-${width}-${theme}.png`), fullPage: true });
  const unexpected = problems.filter((problem) => !problem.startsWith(`answer 404: ${origin}${UNKNOWN_PATH}`));
  for (const problem of unexpected) console.log(`  ${path} at ${width} px, ${theme}: ${problem}`);
  await page.context().close();
}

await runMain(async () => {
  const { url, out, shots } = readOptions();
  await mkdir(out, { recursive: true });
  await withSite(url, async (origin, chromium) => {
    const browser = await launchChromium(chromium);
    for (const shot of shots) await take(browser, origin, shot, out);
    await browser.close();
  });
  console.log(`${shots.length} screenshots in ${out}`);
});
