import { Link, useLocation } from "react-router";
import { AnatomyGhost } from "../components/anatomy/anatomy-ghost.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { ButtonLink } from "../components/ui/button.tsx";
import { TextLink } from "../components/ui/link.tsx";
import { useSessionToken } from "../lib/session/token.ts";

/** The address in the style of the anatomy: a calling code that no country has. */
const NOWHERE = [
  { digits: "+404", wrong: true, facts: [{ label: "Country", value: "None" }] },
  { digits: "··· ····", facts: [{ label: "Page", value: "Not found" }] },
] as const;

/** What most visitors look for. */
const USEFUL = [
  { to: "/docs/api-reference", label: "API reference" },
  { to: "/docs/sdks", label: "SDKs" },
  { to: "/docs/sandbox", label: "Sandbox" },
  { to: "/#pricing", label: "Pricing" },
  { to: "/help", label: "Help" },
] as const;

/** Also the static page for unknown URLs, with status 404 (root.tsx). */
export default function NotFound() {
  const { pathname } = useLocation();
  // The static page knows neither.
  const isFromDashboard = typeof useSessionToken() === "string" && pathname.startsWith("/dashboard/");
  return (
    <SiteFrame>
      <section className="page-width py-16 md:py-24">
        <AnatomyGhost parts={NOWHERE} className="mb-12 w-full" />
        <div className="grid gap-x-20 gap-y-12 lg:grid-cols-[minmax(0,1fr)_17rem]">
          <div>
            {/* Sighted readers have the drawing's. */}
            <h1 className="text-title font-medium">
              <span className="sr-only">404. </span>Oops! Page not found
            </h1>
            <p className="mt-4 max-w-[48ch] text-lead text-soft">
              Like an unassigned range: well formed, but it leads nowhere. Check the URL, or start from{" "}
              {isFromDashboard ? "the dashboard" : "the home page"}.
            </p>
            <div className="mt-9 flex flex-wrap gap-3">
              {isFromDashboard && (
                <ButtonLink to="/dashboard" size="lg">
                  Back to the dashboard
                </ButtonLink>
              )}
              <ButtonLink to="/" size="lg" variant={isFromDashboard ? "secondary" : "primary"}>
                Back to the home page
              </ButtonLink>
              <ButtonLink to="/docs/introduction" size="lg" variant="secondary">
                Read the docs
              </ButtonLink>
            </div>
            <p className="mt-8 text-soft">
              Think this is our mistake? Check the <TextLink to="/status">status page</TextLink>.
            </p>
          </div>
          <nav aria-labelledby="useful">
            <h2 id="useful" className="label font-normal">
              Useful pages
            </h2>
            <ul className="mt-3 border-b border-line">
              {USEFUL.map(({ to, label }) => (
                <li key={to} className="border-t border-line">
                  <Link to={to} className="block py-3 text-soft hover:text-ink hover:underline">
                    {label}
                  </Link>
                </li>
              ))}
            </ul>
          </nav>
        </div>
      </section>
    </SiteFrame>
  );
}
