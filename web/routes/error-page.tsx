import { Button, ButtonLink } from "../components/ui/button.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { StaleChunkError } from "../lib/stale-chunk.ts";

/** A page that failed: says which of two things happened, and what to do. */
export function ErrorPage({ error }: { error: unknown }) {
  const notLoaded = error instanceof StaleChunkError;
  return (
    <SiteFrame>
      <section className="page-width flex flex-col items-start py-24 md:py-36">
        <h1 className="max-w-[16ch] text-display font-medium">
          {notLoaded ? "Part of this page didn’t load." : "This page broke."}
        </h1>
        <p className="mt-6 max-w-[48ch] text-lead text-soft">
          {notLoaded
            ? "The connection may have dropped, or a new version is being published. Reloading usually helps."
            : "This is our fault, not yours. Reloading may help, and your data isn’t affected."}
        </p>
        <div className="mt-9 flex flex-wrap gap-3">
          <Button size="lg" onClick={() => window.location.reload()}>
            Reload
          </Button>
          <ButtonLink to="/" size="lg" variant="secondary">
            Back to the home page
          </ButtonLink>
        </div>
      </section>
    </SiteFrame>
  );
}
