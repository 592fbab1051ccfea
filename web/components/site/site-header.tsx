import { Link } from "react-router";
import { Logo } from "../brand/logo.tsx";
import { ButtonLink } from "../ui/button.tsx";
import { DocsMenu } from "./docs-menu.tsx";
import { ANCHORS } from "./links.ts";
import { MobileMenu } from "./mobile-menu.tsx";

/** The public site's header: stays in sight, with the paper behind it. Only letters of twice the size make it two lines. */
export function SiteHeader() {
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="page-width flex min-h-16 flex-wrap items-center gap-x-8 py-2">
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
          <ButtonLink to="/dashboard" variant="quiet" size="sm">
            Sign In
          </ButtonLink>
          <ButtonLink to="/dashboard" size="sm">
            Get Started
          </ButtonLink>
        </div>
        <div className="ml-auto md:hidden">
          <MobileMenu />
        </div>
      </div>
    </header>
  );
}
