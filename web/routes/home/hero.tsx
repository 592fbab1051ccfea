import { useState } from "react";
import { anatomyOf, verdictOf } from "../../components/anatomy/anatomy-of.ts";
import { Anatomy } from "../../components/anatomy/anatomy.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { SPECIMENS } from "../../content/specimens.ts";

export function Hero() {
  return (
    <section className="page-width pt-12 md:pt-16">
      <p className="label">Phone number verification API</p>
      <h1 className="mt-5 max-w-[15ch] text-display font-medium">
        Know what a number tells you. <span className="inline-block text-muted">And what it can’t.</span>
      </h1>
      <div className="mt-6 grid items-end gap-8">
        <p className="max-w-[58ch] text-lead text-soft">
          One <code className="font-mono text-[0.92em]">POST</code> tells you whether a phone number is valid, where it
          belongs, its original carrier, and its line type. Served from the edge. Never stored.
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

const CHOICES = [
  { value: "BR", label: "Brazil" },
  { value: "US", label: "United States" },
  { value: "GB", label: "United Kingdom" },
] as const;

/** The anatomy of three public numbers, one at a time. */
function Specimens() {
  const [chosen, choose] = useState<keyof typeof SPECIMENS>("BR");
  const { owner, result } = SPECIMENS[chosen];
  return (
    <figure className="mt-12 border-y border-line py-7 md:mt-12 md:py-8">
      <figcaption className="flex flex-wrap items-center justify-between gap-3">
        <span className="label">
          The anatomy of a number<span className="max-sm:hidden"> · {owner}</span>
        </span>
        <Segmented size="sm" label="Example number" value={chosen} onChange={choose} options={CHOICES} />
      </figcaption>
      <Anatomy key={chosen} parts={anatomyOf(result)} verdict={verdictOf(result)} className="mt-7 min-h-80 md:mt-8" />
    </figure>
  );
}
