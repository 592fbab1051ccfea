import { ButtonLink } from "../../components/ui/button.tsx";
import { Specimens } from "./specimens.tsx";

export function Hero() {
  return (
    <section className="page-width pt-12 md:pt-16">
      <p className="label">Phone number verification API</p>
      <h1 className="mt-5 max-w-[15ch] text-display font-medium">
        Know what a number says. <span className="text-muted">And what it can’t.</span>
      </h1>
      <div className="mt-6 grid items-end gap-8">
        <p className="max-w-[58ch] text-lead text-soft">
          One <code className="font-mono text-[0.92em]">POST</code> tells you whether a phone number is valid, where it
          belongs, which carrier it was first given to and what kind of line it is. Answered at the edge, and never
          kept.
        </p>
        <div className="flex flex-wrap gap-3">
          <ButtonLink to="/dashboard" size="lg">
            Get Started
          </ButtonLink>
          <ButtonLink to="/docs/introduction" size="lg" variant="secondary">
            Read the docs
          </ButtonLink>
        </div>
      </div>
      <Specimens />
    </section>
  );
}
