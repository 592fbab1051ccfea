import { clsx } from "clsx";
import type { ReactNode } from "react";
import X from "lucide-react/icons/x";
import { DEMO_LOOKUPS_PER_MINUTE } from "../../../../contract/limits.ts";
import { TEST_LIMITS } from "../../../../contract/plans.ts";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { problemOf } from "../../../components/anatomy/anatomy-of.ts";
import { Suggestion } from "../../../components/anatomy/result-drawing.tsx";
import { acceptanceText } from "../../../lib/acceptance.ts";
import { lineTypeName } from "../../../lib/line-types.ts";
import { TextLink } from "../../../components/ui/link.tsx";
import type { Answered, LookUpState } from "./lookup.ts";
import { countryRead } from "./read-as.tsx";
import { Result } from "./result.tsx";

/** Whether the digits would be a short code somewhere, without a country to look one up in. */
function isShort({ result: { reason, country_prefix }, question }: Answered): boolean {
  const digits = question.number.replaceAll(/\D/g, "").length;
  // After a calling code only three digits, as in 911: more are a longer number's beginning.
  if (reason === "TOO_SHORT") return country_prefix !== null && digits === country_prefix.length - 1 + 3;
  return reason === "MISSING_COUNTRY_CODE" && digits >= 3 && digits <= 6;
}

/** Why the number is invalid. */
function reasonOf(answer: Answered): string {
  return isShort(answer) ? "Looks like a short code or emergency number." : problemOf(answer.result);
}

/** Whether the result is bad news: an invalid number, or one that the request doesn't accept. */
export function isBad({ valid, accepted }: VerificationResult): boolean {
  return !valid || accepted === false;
}

/** The result in one line, the verdict first, for screen readers and phones. */
export function spokenAnswer(answer: Answered): string {
  const { result } = answer;
  const meant = result.suggestion === null ? "" : ` Did you mean ${result.suggestion.number}?`;
  const acceptance = acceptanceText(result);
  const country = countryRead(answer);
  const read = country === null ? "" : ` Read as a number from ${country}.`;
  if (!result.valid) return `${acceptance ?? "Invalid."} ${reasonOf(answer)}${meant}${read}`;
  const place = result.location === result.country_name ? null : result.location;
  const facts = [result.country_name, place, result.carrier, lineTypeName(result)].filter(Boolean).join(", ");
  // "Washington D.C." has its own period.
  return `${acceptance ?? "Valid:"} ${facts}${facts.endsWith(".") ? "" : "."}${meant}${read}`;
}

/** What the drawing doesn't say: that a number isn't accepted, or what a short one is good for. */
function Verdict({ answer }: { answer: Answered }) {
  const { result } = answer;
  const acceptance = acceptanceText(result);
  const hint = isShort(answer)
    ? "It only works within its country. Choose the country, and it’s identified."
    : result.valid && result.accepted === false
      ? "The number itself is valid."
      : null;
  if (acceptance === null && hint === null) return null;
  const isRejected = result.accepted === false;
  return (
    <div className="mb-6 flex animate-appear gap-3">
      {isRejected && <X aria-hidden="true" className="size-7 shrink-0 text-invalid" strokeWidth={2.25} />}
      <div className="min-w-0">
        {acceptance && <p className={clsx("text-xl", isRejected && "font-medium text-invalid")}>{acceptance}</p>}
        {hint && <p className="mt-1 text-soft">{hint}</p>}
      </div>
    </div>
  );
}

interface AnswerProps {
  readonly answer: Answered;
  /** Verifies the number that may have been meant. */
  readonly onTake: (number: string) => void;
}

/** The engine's result: whether it's accepted, the drawing and the JSON, and the number that may have been meant. */
export function Answer({ answer, onTake }: AnswerProps) {
  const { result, question, took } = answer;
  const typed = question.number;
  return (
    <>
      <Verdict answer={answer} />
      <Result result={result} typed={typed} took={took} problem={result.valid ? undefined : reasonOf(answer)}>
        {!result.valid && !isShort(answer) && <p className="label mt-5">reason: {result.reason}</p>}
        <Suggestion result={result} typed={typed} onTake={onTake} className="mt-5" />
      </Result>
    </>
  );
}

/** Why a lookup failed; null where none did. */
export function failureOf(state: LookUpState): ReactNode {
  switch (state.outcome) {
    case "limited":
      return (
        <>
          You’ve hit the demo limit of {DEMO_LOOKUPS_PER_MINUTE} lookups per minute. A free test key gets{" "}
          {TEST_LIMITS.requestsPerMinute}.{" "}
          <TextLink to="/dashboard" className="whitespace-nowrap">
            Get a key
          </TextLink>
        </>
      );
    case "rejected":
      return state.message;
    case "unreachable":
      return "No response. Check your connection and try again.";
    default:
      return null;
  }
}
