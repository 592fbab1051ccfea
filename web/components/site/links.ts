import type { SDKS } from "../../lib/language.ts";

/** Where the site's header and footer lead, each written once. */

export const ANCHORS = [
  { to: "/#why", label: "Why" },
  { to: "/#code", label: "Code" },
  { to: "/#pricing", label: "Pricing" },
] as const;

export const DOCS_LINKS = [
  { to: "/docs/introduction", label: "Introduction", about: "From a key to an answer" },
  { to: "/docs/api-reference", label: "API reference", about: "Every call, field and error" },
  { to: "/docs/testing", label: "Testing", about: "Checklists before you ship" },
  { to: "/docs/sdks", label: "SDKs", about: "Seven languages, one behaviour" },
  { to: "/docs/support", label: "Support", about: "Where to ask, what to send" },
] as const;

export const SANDBOX_LINK = { to: "/docs/sandbox", label: "View sandbox scenarios" } as const;

/** What stands on the tile of each SDK. */
export const SDK_TILES: Readonly<Record<(typeof SDKS)[number]["label"], string>> = {
  JavaScript: "JS",
  Python: "Py",
  PHP: "PHP",
  Ruby: "Rb",
  Go: "Go",
  Java: "Jv",
  Dart: "Da",
};

export const FOOTER_LINKS = [
  {
    title: "Product",
    links: [
      { to: "/#why", label: "Why Checkline" },
      { to: "/#code", label: "Code" },
      { to: "/#pricing", label: "Pricing" },
      { to: "/dashboard", label: "Dashboard" },
    ],
  },
  {
    title: "Developers",
    links: [
      { to: "/docs/introduction", label: "Documentation" },
      { to: "/docs/integration", label: "Integration" },
      { to: "/docs/sandbox", label: "Sandbox" },
      { to: "/help", label: "Help" },
      { to: "/status", label: "Status" },
    ],
  },
  {
    title: "Checkline",
    links: [
      { to: "/about", label: "About" },
      { to: "/terms", label: "Terms" },
      { to: "/policy", label: "Privacy" },
    ],
  },
] as const;
