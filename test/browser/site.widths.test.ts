import { expect, test } from "vitest";
import { PATHS } from "../../web/pages.ts";
import { longOrShort } from "../long.ts";
import { TOO_WIDE, WIDTHS } from "./axe.ts";
import { openSite } from "./site.ts";

const site = openSite();
const PUBLIC = PATHS.filter((path) => !path.startsWith("/dashboard"));
/** One page per layout, and in the long form all. */
const TRIED = longOrShort(PUBLIC, [
  "/",
  "/login",
  "/status",
  "/help",
  "/docs/api-reference",
  "/docs/verify",
  "/docs/response-schema",
]);

test.each(TRIED)("%s never scrolls sideways, from 320 to 1920 pixels", async (path) => {
  const page = await site.newPage({ width: 320, height: 640 });
  await page.goto(path, { waitUntil: "load" });
  await page.evaluate("document.fonts.ready.then(() => {})");
  const wide: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    const found = await page.evaluate(TOO_WIDE);
    if (Array.isArray(found) && found.length > 0) wide.push(`${width}: ${JSON.stringify(found)}`);
  }
  expect(wide).toStrictEqual([]);
});
