import { SiteFrame } from "../components/site/site-frame.tsx";
import { ButtonLink } from "../components/ui/button.tsx";

export function meta() {
  return [{ title: "Page not found · Checkline" }, { name: "robots", content: "noindex" }];
}

/** Also the static page that answers unknown addresses with status 404 (root.tsx). */
export function NotFoundPage() {
  return (
    <SiteFrame>
      <section className="page-width flex flex-col items-start py-24 md:py-36">
        <h1 className="font-mono text-[clamp(5rem,20vw,12rem)] leading-none font-medium tracking-[-0.06em]">404</h1>
        <p className="mt-8 text-title font-medium">Oops! Page not found</p>
        <p className="mt-4 max-w-[48ch] text-lead text-soft">
          Like an unassigned range: well formed, and leading nowhere. The address may have been mistyped, or the page
          has moved.
        </p>
        <ButtonLink to="/" size="lg" className="mt-9">
          Back to the home page
        </ButtonLink>
      </section>
    </SiteFrame>
  );
}

export default NotFoundPage;
