import { MAX_ACTIVE_KEYS } from "../../../contract/limits.ts";
import { PLANS, TRIAL } from "../../../contract/plans.ts";
import { CONTACT, mailto } from "../../content/contact.ts";
import { Badge } from "../../components/ui/badge.tsx";
import { GetStarted } from "../../components/site/get-started.tsx";
import { ButtonLink } from "../../components/ui/button.tsx";
import { quotaText, rateText } from "../../content/plan-terms.ts";
import { COVERED_COUNTRIES, REGION_COUNT } from "../../content/coverage.ts";
import { TextLink } from "../../components/ui/link.tsx";
import { COUNTRY_NAMES } from "../../../contract/country-names.ts";
import { REGISTER_COUNTRIES } from "../../../contract/registers.ts";
import { Section } from "./section.tsx";

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
    <ul className="mt-5 divide-y divide-line border-y border-line">
      {lines.map((line) => (
        <li key={line} className="py-2 text-soft">
          {line}
        </li>
      ))}
    </ul>
  );
}

export function PricingSection() {
  return (
    <Section
      id="pricing"
      isSunken
      title={
        <>
          Pricing <Badge className="relative -top-1.5 ml-2 h-7 px-2 align-middle text-sm tracking-normal">Soon</Badge>
        </>
      }
      lead={
        <>
          Free to try. No credit card, no auto-renewal.{" "}
          <span className="whitespace-nowrap">Paid plans are coming.</span>
        </>
      }
    >
      <div className="grid gap-5 md:grid-cols-2">
        <div className="flex flex-col rounded-lg border border-line bg-surface p-5 md:p-8">
          <h3 className="text-2xl">{TRIAL.name}</h3>
          <p className="mt-1 text-muted">Available now</p>
          <Terms lines={TODAY} />
          <div className="mt-auto pt-6">
            <GetStarted />
          </div>
        </div>
        <div className="flex flex-col rounded-lg border border-dashed border-edge p-5 md:p-8">
          <h3 className="text-2xl">{PLANS.pro.name}</h3>
          <p className="mt-1 text-muted">Coming soon</p>
          <Terms lines={LATER} />
          <div className="mt-auto pt-6">
            <ButtonLink to={mailto(CONTACT.support, "Upgrade to Pro")} variant="secondary">
              Email us about Pro
            </ButtonLink>
          </div>
        </div>
      </div>
      <Countries />
    </Section>
  );
}

/** Where it works, on either plan: the countries that we name, and all others. */
function Countries() {
  return (
    <div id="coverage" className="mt-10 md:mt-14">
      <h3 className="text-xl">Support for over 10 countries at a glance</h3>
      <ul className="mt-4 grid grid-cols-2 gap-x-8 border-t border-line sm:grid-cols-3 lg:grid-cols-4">
        {COVERED_COUNTRIES.map(({ code, callingCode }) => (
          <li key={code} className="flex justify-between gap-2 border-b border-line py-2">
            {COUNTRY_NAMES[code]} <span className="font-mono text-muted">{callingCode}</span>
          </li>
        ))}
        <li className="border-b border-line py-2">
          <TextLink to="/docs/coverage">{REGION_COUNT - COVERED_COUNTRIES.length} more</TextLink>
        </li>
      </ul>
      <p className="mt-4 max-w-[70ch] text-soft">
        {REGION_COUNT} countries and territories, checked against each numbering plan and, in{" "}
        {REGISTER_COUNTRIES.length} countries, against public registers of assigned ranges.
      </p>
    </div>
  );
}
