import { GetStarted } from "../../components/site/get-started.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { FirstNumber } from "./first-number.tsx";
import type { FirstNumberProps } from "./first-number.tsx";

/** What it is, and what it says about a number: all of it in the first screen of a laptop. */
export function Hero(props: FirstNumberProps) {
  return (
    <section className="page-width pt-4 sm:pt-5 lg:pt-6">
      <h1 className="text-hero font-medium [@media(width>=64rem)_and_(height<=44rem)]:text-[2.75rem]">
        Know what a phone number can tell you.{" "}
        <span className="text-muted [@media(width>=64rem)_and_(height>44rem)]:block">And what it can’t.</span>
      </h1>
      <div className="mt-3.5 flex flex-wrap items-end justify-between gap-x-12 gap-y-5">
        <p className="max-w-[50rem] flex-1 basis-88 text-soft sm:text-lg">
          A phone number verification API. One <code className="font-mono text-[0.92em]">POST</code> tells you whether a
          number is valid, where it’s from, which carrier’s range it’s in, and whether it’s mobile or landline. We never
          store the number.
        </p>
        <div className="flex flex-wrap gap-3">
          <GetStarted size="lg" />
          <ButtonLink to="/docs/introduction" size="lg" variant="secondary">
            Read the docs
          </ButtonLink>
        </div>
      </div>
      <FirstNumber {...props} />
    </section>
  );
}
