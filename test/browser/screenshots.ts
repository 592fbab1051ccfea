/**
 * Saves full-page screenshots of the built site to build/screenshots: `npx node test/browser/screenshots.ts`, or some with
 * `--paths /,/help --widths 375 --themes dark`.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { oneOf, parseArguments, runMain } from "../../scripts/arguments.ts";
import { ROOT } from "../../scripts/local/run.ts";
import { PATHS } from "../../web/pages.ts";
import { withSite } from "./site-browser.ts";
import { openTab } from "./tab.ts";

const FOLDER = join(ROOT, "build/screenshots");
const UNKNOWN_PATH = "/no-such-page";

await runMain(async () => {
  const option = (value: string) => ({ type: "string", default: value }) as const;
  const everyPath = [...PATHS, UNKNOWN_PATH].join();
  const { values } = parseArguments({
    options: { paths: option(everyPath), widths: option("375,768,1440"), themes: option("light,dark") },
  });
  const themes = values.themes.split(",").map((theme) => oneOf("--themes", ["light", "dark"] as const, theme));
  const widths = values.widths.split(",").map(Number);
  await mkdir(FOLDER, { recursive: true });
  await withSite(async (browser, origin) => {
    for (const path of values.paths.split(",")) {
      for (const width of widths) {
        for (const theme of themes) {
          const { page, problems } = await openTab(browser, origin, { theme, width, height: width < 600 ? 812 : 900 });
          await page.goto(path, { waitUntil: "load" });
          await page.evaluate("document.fonts.ready.then(() => {})");
          const name = path === "/" ? "home" : path.slice(1).replaceAll("/", "-");
          await page.screenshot({ path: join(FOLDER, `${name}-${width}-${theme}.png`), fullPage: true });
          const unexpected = problems.filter((problem) => !problem.endsWith(UNKNOWN_PATH));
          for (const problem of unexpected) console.log(`${path} at ${width} px, ${theme}: ${problem}`);
          await page.context().close();
        }
      }
    }
  });
  console.log(`Saved to ${FOLDER}`);
});
