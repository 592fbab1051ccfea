/**
 * Draws the picture of every page's link preview, web/public/social-card.png, and apple-touch-icon.png from the landing
 * page's own parts: `npm run build && npx node test/browser/social-card.ts`, then commit them.
 */
import { join } from "node:path";
import { ROOT } from "../../scripts/local/run.ts";
import { withSite } from "./site-browser.ts";
import { openTab } from "./tab.ts";

/** Runs in the landing page, and keeps only the name, the headline, and the anatomy. */
const LAY_OUT_CARD = `
  const [logo, headline] = ["header a", "h1"].map((part) => document.querySelector(part));
  const anatomy = document.querySelector("figure .\\\\@container");
  document.body.innerHTML =
    '<div style="width:1200px;height:630px;padding:44px 72px;display:flex;flex-direction:column;background:var(--paper)">' +
    '<div style="zoom:1.5">' + logo.outerHTML + '</div>' +
    '<p style="font-size:54px;line-height:1.08;letter-spacing:-0.04em;font-weight:500;margin-top:16px">' +
    headline.innerHTML + '</p>' +
    '<div style="margin-top:auto;width:1056px">' + anatomy.outerHTML + '</div></div>';
`;

/** The mark on ink, as on a phone's home screen. */
const LAY_OUT_ICON = `
  document.body.innerHTML =
    '<div style="width:180px;height:180px;display:grid;place-items:center;background:var(--ink)">' +
    '<svg viewBox="0 0 32 20" width="128" fill="none"><path d="M2 11h13l4.5 6L30 3.5" stroke="#3ddc97" stroke-width="3" ' +
    'stroke-linecap="round" stroke-linejoin="round"/></svg></div>';
`;

const PICTURES = [
  ["social-card", LAY_OUT_CARD, 1200, 630],
  ["apple-touch-icon", LAY_OUT_ICON, 180, 180],
] as const;

await withSite(async (browser, origin) => {
  for (const [name, layOut, width, height] of PICTURES) {
    // Without JavaScript, or React would restore the page.
    const { page } = await openTab(browser, origin, { width: 1200, height: 630, javaScript: false });
    await page.goto("/", { waitUntil: "load" });
    await page.evaluate(layOut);
    await page.evaluate("document.fonts.ready");
    await page.evaluate("document.getAnimations().forEach((animation) => animation.finish())");
    const path = join(ROOT, "web/public", `${name}.png`);
    await page.screenshot({ path, clip: { x: 0, y: 0, width, height } });
    console.log(path);
    await page.context().close();
  }
});
