import { SDK_PACKAGES, sdkPath } from "../sdks/packages.ts";
import { DOC_PAGES, docPath } from "./content/docs/sections.ts";

/** The public site, in its own header and footer. */
export const SITE_PATHS: readonly string[] = [
  "/",
  "/help",
  "/policy",
  "/terms",
  "/about",
  ...SDK_PACKAGES.map(({ id }) => sdkPath(id)),
  "/status",
];

/** The pages for search engines: they are in the sitemap. */
export const INDEXED_PATHS: readonly string[] = [
  ...SITE_PATHS,
  ...DOC_PAGES.map(({ slug }) => docPath(slug)),
  "/login",
  "/register",
];

/** Every page that is prerendered when the site is built. Each has a route in routes.ts; the browser tests cover all of them. */
export const PATHS: readonly string[] = [
  ...INDEXED_PATHS,
  "/verify-account",
  "/confirm-email",
  "/undo-email-change",
  "/forgot-password",
  "/reset-password",
  "/dashboard",
  "/dashboard/reports",
  "/dashboard/activity",
  "/dashboard/bulk",
  "/dashboard/settings",
  "/dashboard/settings/subscription",
  "/dashboard/settings/security",
];
