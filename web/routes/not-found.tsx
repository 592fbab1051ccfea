import { useLocation } from "react-router";
import { AnatomyGhost } from "../components/anatomy/anatomy-ghost.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { ButtonLink } from "../components/ui/button.tsx";
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
        <h1 className="label text-base!">404</h1>
        <p className="mt-3 text-title font-medium">Oops! Page not found</p>
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
        </div>
      </section>
    </SiteFrame>
  );
}
