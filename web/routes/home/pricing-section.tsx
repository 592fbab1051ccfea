import { MAX_ACTIVE_KEYS } from "../../../contract/limits.ts";
import { PLANS, TRIAL } from "../../../contract/plans.ts";
import { CONTACT, mailto } from "../../content/contact.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { GetStarted } from "../../components/site/get-started.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { quotaText, rateText } from "../../content/plan-terms.ts";
import { SectionHeading } from "./section-heading.tsx";

const TODAY = [
  `${TRIAL.days} days, starting when you activate it`,
  quotaText(TRIAL),
  rateText(TRIAL),
  `${MAX_ACTIVE_KEYS} live and ${MAX_ACTIVE_KEYS} test keys`,
  "Sandbox access that never expires",
];

const LATER = [
  "Billed per successful request; invalid numbers are free",
  rateText(PLANS.pro),
  quotaText(PLANS.pro),
  "We’ll publish prices before we charge anyone",
];

function Terms({ lines }: { lines: readonly string[] }) {
  return (
    <ul className="mt-6 divide-y divide-line border-y border-line">
      {lines.map((line) => (
        <li key={line} className="py-2.5 text-soft md:py-3">
          {line}
        </li>
      ))}
    </ul>
  );
}

export function PricingSection() {
  return (
    <section id="pricing" aria-labelledby="pricing-title" className="border-t border-line bg-sunken">
      <div className="page-width py-14 md:py-28">
        <SectionHeading
          id="pricing-title"
          title={
            <>
              Pricing{" "}
              <Badge className="relative -top-1.5 ml-2 h-7 px-2 align-middle text-sm tracking-normal">Soon</Badge>
            </>
          }
        >
          Free to try. No credit card, no auto-renewal.{" "}
          <span className="whitespace-nowrap">Paid plans are coming.</span>
        </SectionHeading>
        <div className="mt-8 grid gap-5 md:mt-12 md:grid-cols-2">
          <div className="flex flex-col rounded-lg border border-line bg-surface p-6 md:p-8">
            <h3 className="text-2xl">{TRIAL.name}</h3>
            <p className="mt-1 text-muted">Today</p>
            <Terms lines={TODAY} />
            <div className="mt-auto pt-7">
              <GetStarted />
            </div>
          </div>
          <div className="flex flex-col rounded-lg border border-dashed border-edge p-6 md:p-8">
            <h3 className="text-2xl">{PLANS.pro.name}</h3>
            <p className="mt-1 text-muted">Soon</p>
            <Terms lines={LATER} />
            <div className="mt-auto pt-7">
              <ButtonLink to={mailto(CONTACT.support, "Upgrade to Pro")} variant="secondary">
                Email us about Pro
              </ButtonLink>
            </div>
          </div>
        </div>
      </div>
    </section>
  );
}
