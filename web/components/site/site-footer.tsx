import { Logo } from "../brand/logo.tsx";
import { SiteLink } from "../ui/link.tsx";
import { MeasuredStatus } from "./measured.tsx";
import { ThemeChoice } from "./theme-choice.tsx";

const FOOTER_LINKS = [
  {
    title: "Product",
    links: [
      { to: "/#why", label: "Why Checkline" },
      { to: "/#compare", label: "Compare" },
      { to: "/#code", label: "Code" },
      { to: "/#pricing", label: "Pricing" },
      { to: "/dashboard", label: "Dashboard" },
      { to: "/status", label: "Status" },
    ],
  },
  {
    title: "Developers",
    links: [
      { to: "/docs/introduction", label: "Documentation" },
      { to: "/docs/api-reference", label: "API reference" },
      { to: "/docs/integration", label: "Integration" },
      { to: "/docs/sdks", label: "SDKs" },
      { to: "/docs/sandbox", label: "Sandbox" },
      { to: "/docs/mcp", label: "AI assistants" },
      { to: "/docs/changelog", label: "Changelog" },
    ],
  },
  {
    title: "Migrate from",
    links: [
      { to: "/docs/from-vonage-number-insight", label: "Vonage Number Insight" },
      { to: "/docs/from-twilio-lookup", label: "Twilio Lookup" },
      { to: "/docs/from-numverify", label: "numverify" },
      { to: "/docs/from-libphonenumber", label: "libphonenumber" },
    ],
  },
  {
    title: "Company",
    links: [
      { to: "/about", label: "About" },
      { to: "/help", label: "Help" },
      { to: "/terms", label: "Terms" },
      { to: "/policy", label: "Privacy" },
      { to: "/LICENSE.txt", label: "License" },
      { to: "/NOTICE.txt", label: "Notices" },
    ],
  },
] as const;

export function SiteFooter() {
  return (
    <footer className="border-t border-line">
      <div className="page-width pt-14 pb-10">
        <div className="grid gap-10 lg:grid-cols-[1fr_auto]">
          <div className="lg:-mt-3">
            <Logo />
            <p className="mt-1 max-w-xs text-sm text-muted">
              Phone number verification that’s clear about what’s known and what isn’t.
            </p>
          </div>
          <nav aria-label="Footer" className="grid grid-cols-2 gap-x-8 gap-y-8 sm:grid-cols-4 lg:gap-x-14">
            {FOOTER_LINKS.map(({ title, links }) => (
              <div key={title}>
                <h2 className="label">{title}</h2>
                <ul className="mt-2">
                  {links.map(({ to, label }) => (
                    <li key={to}>
                      <SiteLink to={to} className="inline-block py-1.5 text-soft hover:text-ink hover:underline">
                        {label}
                      </SiteLink>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
        <div className="mt-12 grid gap-x-8 gap-y-4 border-t border-line pt-6 text-sm text-muted sm:grid-cols-[1fr_auto] sm:items-center">
          <MeasuredStatus />
          <div className="sm:row-span-2">
            <ThemeChoice />
          </div>
          <p>Copyright © 2025 Checkline</p>
        </div>
      </div>
    </footer>
  );
}
