import { useLocation } from "react-router";
import { AnatomyGhost } from "../components/anatomy/anatomy-ghost.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { ButtonLink } from "../components/ui/button.tsx";
import { TextLink } from "../components/ui/link.tsx";
import { useSessionToken } from "../lib/session/token.ts";

/** The address in the style of the anatomy: a calling code that no country has. */
const NOWHERE = [
  { digits: "+404", facts: [{ label: "Country", value: "None" }] },
  { digits: "··· ····", facts: [{ label: "Page", value: "Not found" }] },
] as const;

/** Also the static page for unknown URLs, with status 404 (root.tsx). */
export default function NotFound() {
  const { pathname } = useLocation();
  // The static page knows neither.
  const isFromDashboard = typeof useSessionToken() === "string" && pathname.startsWith("/dashboard/");
  return (
    <SiteFrame>
      <section className="page-width flex flex-col items-start py-16 md:py-24">
        <AnatomyGhost struck parts={NOWHERE} className="mb-12 w-full" />
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
          A page that should be here? The <TextLink to="/status">status page</TextLink> says whether everything works.
        </p>
      </section>
    </SiteFrame>
  );
}
