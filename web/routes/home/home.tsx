import { SiteFrame } from "../../components/site/site-frame.tsx";
import { pageMeta } from "../../lib/page-meta.ts";
import { LANDING_DATA } from "../../lib/structured-data.ts";
import { CloseSection } from "./close-section.tsx";
import { CodeSection } from "./code-section.tsx";
import { CoverageSection } from "./coverage-section.tsx";
import { DemoSection } from "./demo/demo-section.tsx";
import { Hero } from "./hero.tsx";
import { PricingSection } from "./pricing-section.tsx";
import { WhySection } from "./why-section.tsx";

export function meta() {
  return [
    ...pageMeta({
      title: "Checkline: phone number verification API",
      description:
        "Send a phone number and learn whether it is valid, its country, area, original carrier and line type. Answered at the edge; no number is kept.",
      path: "/",
    }),
    LANDING_DATA,
  ];
}

export default function Home() {
  return (
    <SiteFrame>
      <Hero />
      <WhySection />
      <CodeSection />
      <DemoSection />
      <CoverageSection />
      <PricingSection />
      <CloseSection />
    </SiteFrame>
  );
}
