import ArrowRight from "lucide-react/icons/arrow-right";
import ChevronDown from "lucide-react/icons/chevron-down";
import { useRef } from "react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { SDKS } from "../../lib/language.ts";
import { Logo } from "../brand/logo.tsx";
import { useSessionToken } from "../../lib/session/token.ts";
import { ButtonLink } from "../ui/button.tsx";
import { SkipLink } from "../ui/link.tsx";
import { GetStarted } from "./get-started.tsx";
import { MenuDisclosure, useDismiss } from "./menu-disclosure.tsx";
import { SiteFooter } from "./site-footer.tsx";

const ANCHORS = [
  { to: "/#why", label: "Why" },
  { to: "/#code", label: "Code" },
  { to: "/#pricing", label: "Pricing" },
] as const;

const DOCS_LINKS = [
  { to: "/docs/introduction", label: "Introduction", about: "From API key to first result" },
  { to: "/docs/api-reference", label: "API reference", about: "Every endpoint, field, and error" },
  { to: "/docs/testing", label: "Testing", about: "Checklists before you ship" },
  { to: "/docs/sdks", label: "SDKs", about: "Seven languages, one API" },
  { to: "/docs/support", label: "Support", about: "How to get help" },
] as const;

const SANDBOX_LINK = { to: "/docs/sandbox", label: "View sandbox scenarios" } as const;

/** The header's Docs dropdown: a disclosure with links, as the ARIA practices advise for site navigation. */
function DocsMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  return (
    <details ref={details} className="group relative">
      <summary className="inline-flex min-h-11 items-center gap-1 px-3 text-soft hover:text-ink">
        Docs
        <ChevronDown aria-hidden="true" className="size-3.5 transition-transform group-open:rotate-180" />
      </summary>
      <div className="absolute top-full right-0 max-h-[calc(100dvh-4.5rem)] w-80 animate-appear overflow-y-auto rounded-lg border border-line bg-surface shadow-float">
        <ul className="p-2">
          {DOCS_LINKS.map(({ to, label, about }) => (
            <li key={to}>
              <Link to={to} className="block rounded-md px-3 py-2 hover:bg-sunken focus-visible:bg-sunken">
                <span className="block font-medium">{label}</span>
                <span className="block text-sm text-muted">{about}</span>
              </Link>
            </li>
          ))}
        </ul>
        <ul className="flex flex-wrap gap-1.5 border-t border-line px-5 py-4" aria-label="SDKs">
          {SDKS.map(({ id, label: language }) => (
            <li key={language}>
              <Link
                to={`/docs/sdks#${id}`}
                className="grid h-8 place-items-center rounded-sm border border-line px-2 font-mono text-xs text-muted hover:border-edge hover:text-ink"
              >
                {language}
                <span className="sr-only"> SDK</span>
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to={SANDBOX_LINK.to}
          className="flex items-center justify-between rounded-b-lg border-t border-line px-5 py-3.5 font-medium hover:bg-sunken"
        >
          {SANDBOX_LINK.label}
          <ArrowRight aria-hidden="true" className="size-4 text-muted" />
        </Link>
      </div>
    </details>
  );
}

const LINK = "block py-3 text-xl font-medium tracking-[-0.02em]";

/** The way in; a single button for logged-in visitors. */
function Entrance({ size }: { size: "sm" | "md" }) {
  const isLoggedIn = typeof useSessionToken() === "string";
  if (isLoggedIn) {
    return (
      <ButtonLink to="/dashboard" size={size} className="col-span-2">
        Dashboard
      </ButtonLink>
    );
  }
  return (
    <>
      <ButtonLink to="/dashboard" variant={size === "sm" ? "quiet" : "secondary"} size={size}>
        Sign In
      </ButtonLink>
      <GetStarted size={size} />
    </>
  );
}

/** The way in beside the menu of a small screen. */
function PhoneEntrance() {
  const isLoggedIn = typeof useSessionToken() === "string";
  return (
    <GetStarted size="sm" className="max-[22rem]:hidden">
      {isLoggedIn ? "Dashboard" : "Get Started"}
    </GetStarted>
  );
}

/** The header's links on small screens. */
function MobileMenu() {
  return (
    <MenuDisclosure className="md:hidden">
      <ul className="-mt-1 divide-y divide-line">
        {ANCHORS.map(({ to, label }) => (
          <li key={to}>
            <Link to={to} className={LINK}>
              {label}
            </Link>
          </li>
        ))}
        <li>
          <Link to="/docs/introduction" className={LINK}>
            Docs
          </Link>
        </li>
      </ul>
      <div className="mt-5 mb-1 grid grid-cols-2 gap-3">
        <Entrance size="md" />
      </div>
    </MenuDisclosure>
  );
}

/** The public site's header: sticky, with the paper behind it. Only text at twice the size makes it two lines. */
function SiteHeader() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="page-width flex min-h-16 flex-wrap items-center gap-x-4 py-2 md:gap-x-8">
        <Logo />
        <nav aria-label="Main" className="hidden items-center md:flex">
          {ANCHORS.map(({ to, label }) => (
            <Link key={to} to={to} className="inline-flex min-h-11 items-center px-3 text-soft hover:text-ink">
              {label}
            </Link>
          ))}
          <DocsMenu />
        </nav>
        <div className="ml-auto hidden items-center gap-2 md:flex">
          <Entrance size="sm" />
        </div>
        <div className="ml-auto flex items-center gap-3 md:hidden">
          <PhoneEntrance />
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}

/** Every public page: header, content, footer, and a skip link. */
export function SiteFrame({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <SiteHeader />
      <main id="main" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <SiteFooter />
    </div>
  );
}
