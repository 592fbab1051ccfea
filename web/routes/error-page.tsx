import { Button, ButtonLink } from "../components/ui/button.tsx";
import { SiteFrame } from "../components/site/site-frame.tsx";
import { StaleChunkError } from "../lib/stale-chunk.ts";

/** A page that failed: says which of two things happened, and offers the way on. */
export function ErrorPage({ error }: { error: unknown }) {
  const notLoaded = error instanceof StaleChunkError;
  return (
    <SiteFrame>
      <section className="page-width flex flex-col items-start py-24 md:py-36">
        <h1 className="max-w-[16ch] text-display font-medium">
          {notLoaded ? "Part of this page did not arrive." : "This page broke."}
        </h1>
        <p className="mt-6 max-w-[48ch] text-lead text-soft">
          {notLoaded
            ? "The connection may have dropped, or a new version is being published. Loading the page again usually helps."
            : "The fault is ours, not yours. Loading the page again may help; nothing that the service holds is affected."}
        </p>
        <div className="mt-9 flex flex-wrap gap-3">
          <Button size="lg" onClick={() => window.location.reload()}>
            Load again
          </Button>
          <ButtonLink to="/" size="lg" variant="secondary">
            Back to the home page
          </ButtonLink>
        </div>
      </section>
    </SiteFrame>
  );
}
