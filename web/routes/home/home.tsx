import { useState } from "react";
import { SiteFrame } from "../../components/site/site-frame.tsx";
import { GetStarted } from "../../components/site/get-started.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { pageMeta } from "../../lib/page-meta.ts";
import { CodeSection } from "./code-section.tsx";
import { CoverageSection } from "./coverage-section.tsx";
import { CompareSection } from "./compare-section.tsx";
import { DemoSection } from "./demo/demo-section.tsx";
import type { Answered } from "./demo/lookup.ts";
import { Hero } from "./hero.tsx";
import { PricingSection } from "./pricing-section.tsx";
import { UsesSection } from "./uses-section.tsx";
import { WhySection } from "./why-section.tsx";

export function meta() {
  return pageMeta({
    title: "Checkline: phone number verification API",
    description:
      "Find out whether a phone number is valid, plus its country, area, range’s carrier, and line type. Served from the edge. Never stored.",
    path: "/",
  });
}

export default function Home() {
  /** The number verified in the hero, which the demo continues with. */
  const [verified, setVerified] = useState<Answered | null>(null);
  return (
    <SiteFrame>
      <Hero onVerified={setVerified} />
      <UsesSection />
      <WhySection />
      <CompareSection />
      <CodeSection />
      <DemoSection key={verified?.turn} start={verified} />
      <CoverageSection />
      <PricingSection />
      <CloseSection />
    </SiteFrame>
  );
}

/** The mark again, as wide as the page: from beyond its left edge to a check above or before the buttons. */
function DrawnLine() {
  return (
    <div aria-hidden="true" className="close-line relative h-24 text-(--night-signal) md:flex-1">
      <span className="close-line-run absolute right-[87px] bottom-[22px] -left-[50vw] border-t-3" />
      <svg viewBox="0 0 88 96" fill="none" className="absolute right-0 bottom-0 h-24 w-[88px]">
        <path
          d="M0 72.5h14l18 21L86 4"
          stroke="currentColor"
          strokeWidth="3"
          strokeLinejoin="round"
          strokeLinecap="round"
          pathLength="1"
          strokeDasharray="1"
          className="close-line-check"
        />
      </svg>
    </div>
  );
}

function CloseSection() {
  return (
    <section className="overflow-clip bg-(--night) text-(--night-text)">
      <div className="page-width pt-14 pb-16 md:pt-28 md:pb-36">
        <h2 className="max-w-[16ch] text-display font-medium">Five minutes to your first verified number.</h2>
        <div className="mt-4 flex flex-col gap-6 md:flex-row md:items-end md:justify-end">
          <DrawnLine />
          <div className="flex flex-wrap gap-3">
            <GetStarted size="lg" className="bg-(--night-text)! text-(--night)! hover:opacity-90" />
            <ButtonLink
              to="/help"
              size="lg"
              className="border-(--night-edge)! bg-transparent! text-(--night-text)! hover:border-(--night-text)!"
            >
              Ask a question
            </ButtonLink>
          </div>
        </div>
      </div>
    </section>
  );
}
