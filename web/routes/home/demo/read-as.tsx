import ChevronDown from "lucide-react/icons/chevron-down";
import { COUNTRY_NAMES } from "../../../../contract/country-names.ts";
import { useCountries } from "../../../components/forms/condition-choice.tsx";
import { VISITOR } from "./lookup.ts";
import type { Answered } from "./lookup.ts";

function nameOf(country: string): string {
  return COUNTRY_NAMES[country as keyof typeof COUNTRY_NAMES];
}

/** The country that a result's number was read in; null if it brought its own, or if none is known. */
export function countryRead({ question, result, readAs }: Answered): string | null {
  const isOwn = readAs === null || /^\s*[+＋]/.test(question.number);
  // "49 30 901820" is German, wherever it was typed.
  return isOwn || (result.country_code ?? readAs) !== readAs ? null : nameOf(readAs);
}

interface ReadAsProps {
  /** ISO 3166-1 alpha-2, or `VISITOR`. */
  readonly value: string;
  readonly onChange: (country: string) => void;
  /** The result of the number in the field, if there is one. */
  readonly answer: Answered | null;
}

/** Where a number without a plus is from: said after it was read, and there to change before and after. */
export function ReadAs({ value, onChange, answer }: ReadAsProps) {
  const countries = useCountries(value);
  const isLost = answer?.result.reason === "MISSING_COUNTRY_CODE";
  const isRead = answer !== null && countryRead(answer) !== null;
  const own = answer?.question.country === VISITOR ? answer.readAs : null;
  return (
    <label className="inline-flex max-w-full items-center gap-1.5 text-sm text-soft">
      <span className="shrink-0">
        {isLost ? "Where is it from?" : isRead ? "Read as a number from" : "Numbers without + are from"}
      </span>
      <span className="relative min-w-0">
        <select
          {...countries.reach}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          className="text-link field-sizing-content min-h-9 max-w-44 cursor-pointer appearance-none truncate bg-transparent pr-5 font-medium text-ink pointer-coarse:min-h-11"
        >
          <option value={VISITOR}>{own !== null ? nameOf(own) : isLost ? "Choose a country" : "your country"}</option>
          {countries.options}
        </select>
        <ChevronDown
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 right-0 size-3.5 -translate-y-1/2 text-muted"
        />
      </span>
    </label>
  );
}
