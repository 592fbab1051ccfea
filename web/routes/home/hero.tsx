import { GetStarted } from "../../components/site/get-started.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { FirstNumber } from "./first-number.tsx";

/** What it is, and what it says about a number: all of it in the first screen of a laptop. */
export function Hero() {
  return (
    <section className="page-width pt-5 lg:pt-6">
      <h1 className="text-title font-medium">
        Verify any phone number. <span className="text-muted lg:block">Know exactly where the facts end.</span>
      </h1>
      <div className="mt-3.5 flex flex-wrap items-end justify-between gap-x-12 gap-y-5">
        <p className="max-w-[46rem] flex-1 basis-88 text-soft sm:text-lg">
          A phone number verification API. One POST tells you whether a number is valid, where it’s from, and its
          original carrier and line type, each with its source. We never store the number.
        </p>
        <div className="flex flex-wrap gap-3">
          <GetStarted size="lg" />
          <ButtonLink to="/docs/introduction" size="lg" variant="secondary" className="max-sm:hidden">
            Read the docs
          </ButtonLink>
        </div>
      </div>
      <FirstNumber />
    </section>
  );
}
