import { SiteFrame } from "../../components/site/site-frame.tsx";
import { GetStarted } from "../../components/site/get-started.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { CodeBlock } from "../../components/ui/code-block.tsx";
import { useOrigin } from "../../lib/origin.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { ORIGIN } from "../../../contract/origin.ts";
import { CodeSection } from "./code-section.tsx";
import { CompareSection } from "./compare-section.tsx";
import { DemoSection } from "./demo/demo-section.tsx";
import { Hero } from "./hero.tsx";
import { LANDING_SAMPLES } from "./landing-samples.ts";
import { PricingSection } from "./pricing-section.tsx";
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
  return (
    <SiteFrame>
      <Hero />
      <WhySection />
      <CodeSection />
      <DemoSection />
      <CompareSection />
      <PricingSection />
      <CloseSection />
    </SiteFrame>
  );
}

/** What to do next, dark in both themes: a call to copy. */
function CloseSection() {
  const origin = useOrigin();
  const { html, text } = LANDING_SAMPLES.rest;
  return (
    <section className="night">
      <div className="page-width grid items-end gap-x-12 gap-y-8 py-10 md:py-28 lg:grid-cols-2">
        <div>
          <h2 className="max-w-[16ch] text-title font-medium">Five minutes to your first verified number.</h2>
          <div className="mt-7 flex flex-wrap gap-3">
            <GetStarted size="lg" />
            <ButtonLink to="/help" size="lg" variant="secondary">
              Ask a question
            </ButtonLink>
          </div>
        </div>
        <CodeBlock
          label="First call with curl"
          title="curl"
          html={html.replaceAll(ORIGIN, origin)}
          code={text.replaceAll(ORIGIN, origin)}
        />
      </div>
    </section>
  );
}
