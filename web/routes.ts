import { index, layout, route } from "@react-router/dev/routes";
import type { RouteConfig } from "@react-router/dev/routes";
import { SDK_PACKAGES, sdkPath } from "../sdks/packages.ts";
import { DOC_PAGES } from "./content/docs/sections.ts";

export default [
  index("routes/home/home.tsx"),
  layout(
    "routes/text/layout.tsx",
    ["help", "policy", "terms", "about"].map((name) => route(name, `content/pages/${name}.mdx`)),
  ),
  route("status", "routes/status/status.tsx"),
  ...SDK_PACKAGES.map(({ id }) => route(sdkPath(id).slice(1), "routes/sdk.tsx", { id: sdkPath(id) })),
  route("docs", "routes/docs/layout.tsx", [
    index("routes/docs/docs-index.tsx"),
    ...DOC_PAGES.map(({ slug }) => route(slug, `content/docs/${slug}.mdx`)),
    route("*", "routes/docs/docs-not-found.tsx"),
  ]),

  layout("routes/auth/auth-layout.tsx", [
    route("login", "routes/auth/login.tsx"),
    route("register", "routes/auth/register.tsx"),
    route("verify-account", "routes/auth/verify-account.tsx"),
    route("confirm-email", "routes/auth/confirm-email.tsx"),
    route("undo-email-change", "routes/auth/undo-email-change.tsx"),
    route("forgot-password", "routes/auth/forgot-password.tsx"),
    route("reset-password", "routes/auth/reset-password.tsx"),
  ]),

  layout("routes/dashboard/shell/shell.tsx", [
    route("dashboard", "routes/dashboard/keys/keys.tsx"),
    route("dashboard/reports", "routes/dashboard/reports/reports.tsx"),
    route("dashboard/activity", "routes/dashboard/activity/activity.tsx"),
    route("dashboard/bulk", "routes/dashboard/bulk/bulk.tsx"),
    route("dashboard/settings", "routes/dashboard/settings/details.tsx"),
    route("dashboard/settings/subscription", "routes/dashboard/settings/subscription.tsx"),
    route("dashboard/settings/security", "routes/dashboard/settings/security.tsx"),
  ]),

  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
