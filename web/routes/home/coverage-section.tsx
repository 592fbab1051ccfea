import { COVERED_COUNTRIES, REGION_COUNT } from "../../content/coverage.ts";
import type { CoveredCountry } from "../../content/coverage.ts";
import { TextLink } from "../../components/ui/link.tsx";
import { SectionHeading } from "./section-heading.tsx";

/** What the numbering plan says about a country's mobile numbers, in a few words. */
function mobileNumbers({ mobileDigits, mobileRanges, portability }: CoveredCountry): string {
  if (!mobileRanges) return `${mobileDigits} digits; mobile and landline look alike`;
  return `${mobileDigits}-digit mobile numbers${portability ? ", portable" : ""}`;
}

export function CoverageSection() {
  return (
    <section id="coverage" aria-labelledby="coverage-title" className="border-t border-line">
      <div className="page-width py-14 md:py-28">
        <SectionHeading id="coverage-title" title={`${REGION_COUNT} countries and territories`}>
          Checked against each country’s numbering plan, and against public registers of who was given which numbers.
        </SectionHeading>
        <h3 className="mt-8 mb-4 text-lg sm:mt-12">Support for over 10 countries at a glance</h3>
        <ul className="grid gap-x-6 min-[30rem]:grid-cols-2 md:gap-x-10 lg:gap-x-12">
          {COVERED_COUNTRIES.map((country) => (
            <Row
              key={country.code}
              mark={country.code}
              name={country.name}
              callingCode={country.callingCode}
              text={mobileNumbers(country)}
            />
          ))}
          <Row name="Everywhere else" text={`${REGION_COUNT - COVERED_COUNTRIES.length} more numbering plans`} />
        </ul>
        <TextLink to="/docs/coverage">What we know of each country</TextLink>
      </div>
    </section>
  );
}

interface RowProps {
  readonly mark?: string;
  readonly name: string;
  readonly callingCode?: string;
  readonly text: string;
}

function Row({ mark, name, callingCode, text }: RowProps) {
  return (
    <li className="grid grid-cols-[1fr_auto] content-start items-baseline gap-x-2 border-t border-line py-3 sm:grid-cols-[2.75rem_1fr_auto] sm:py-4 sm:nth-last-[-n+2]:border-b">
      <span className="label max-sm:hidden">{mark}</span>
      <span className="text-base sm:text-xl">{name}</span>
      <span className="text-sm tabular-nums sm:text-lg">{callingCode}</span>
      <span className="col-span-2 text-sm text-muted sm:col-start-2">{text}</span>
    </li>
  );
}
