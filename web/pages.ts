import { SDK_PACKAGES, sdkPath } from "../contract/sdks.ts";
import { DOC_PAGES, docPath } from "./content/docs/sections.ts";

/** A page prerendered when the site is built. */
export interface StaticPage {
  readonly path: string;
  /** Whether search engines should index it. */
  readonly inSitemap: boolean;
}

/** The public site, in its own header and footer. */
export const SITE_PAGES: readonly StaticPage[] = [
  { path: "/", inSitemap: true },
  { path: "/help", inSitemap: true },
  { path: "/policy", inSitemap: true },
  { path: "/terms", inSitemap: true },
  { path: "/about", inSitemap: true },
  ...SDK_PACKAGES.map(({ id }) => ({ path: sdkPath(id), inSitemap: true })),
  { path: "/status", inSitemap: true },
];

/** Every prerendered page. Each has a route in routes.ts; the browser tests cover all of them. */
export const PAGES: readonly StaticPage[] = [
  ...SITE_PAGES,
  ...DOC_PAGES.map(({ slug }) => ({ path: docPath(slug), inSitemap: true })),
  { path: "/login", inSitemap: true },
  { path: "/register", inSitemap: true },
  { path: "/verify-account", inSitemap: false },
  { path: "/confirm-email", inSitemap: false },
  { path: "/undo-email-change", inSitemap: false },
  { path: "/forgot-password", inSitemap: false },
  { path: "/reset-password", inSitemap: false },
  { path: "/dashboard", inSitemap: false },
  { path: "/dashboard/reports", inSitemap: false },
  { path: "/dashboard/activity", inSitemap: false },
  { path: "/dashboard/bulk", inSitemap: false },
  { path: "/dashboard/settings", inSitemap: false },
  { path: "/dashboard/settings/subscription", inSitemap: false },
  { path: "/dashboard/settings/security", inSitemap: false },
];
