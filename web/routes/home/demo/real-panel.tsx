import { clsx } from "clsx";
import type { ReactNode, Ref } from "react";
import X from "lucide-react/icons/x";
import { DEMO_LOOKUPS_PER_MINUTE } from "../../../../contract/limits.ts";
import { TEST_LIMITS } from "../../../../contract/plans.ts";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { problemOf } from "../../../components/anatomy/anatomy-of.ts";
import { AnatomyGhost } from "../../../components/anatomy/anatomy-ghost.tsx";
import { ResultDrawing, Suggestion } from "../../../components/anatomy/result-drawing.tsx";
import { acceptanceText } from "../../../lib/acceptance.ts";
import { lineTypeName } from "../../../lib/line-types.ts";
import { Cross } from "../../../components/ui/cross.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CodeBlock } from "../../../components/ui/code-block.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { reportOf } from "../../../content/wrong-result.ts";
import type { Answered, LookUpState } from "./lookup.ts";

/** Whether the digits would be a short code somewhere: the demo has no `country` to look one up in. */
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
  if (!result.valid) return `${acceptance ?? "Invalid."} ${reasonOf(answer)}${meant}`;
  const place = result.location === result.country_name ? null : result.location;
  const facts = [result.country_name, place, result.carrier, lineTypeName(result)].filter(Boolean).join(", ");
  // "Washington D.C." has its own period.
  return `${acceptance ?? "Valid:"} ${facts}${facts.endsWith(".") ? "" : "."}${meant}`;
}

/** What the drawing doesn't say: that a number isn't accepted, or what a short one is good for. */
function Verdict({ answer }: { answer: Answered }) {
  const { result } = answer;
  const acceptance = acceptanceText(result);
  const hint = isShort(answer)
    ? "It only works within its country. The API identifies it if you send the country too."
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

type RealAnswerProps = Answered & {
  /** Whether the form's input has changed, or another call is pending. */
  readonly isStale: boolean;
  readonly onTake: (number: string) => void;
};

/** The engine's result: bad news, the anatomy of a valid number, and the JSON behind both. */
function RealAnswer({ isStale, onTake, ...answer }: RealAnswerProps) {
  const { result, question, took, remaining } = answer;
  const json = JSON.stringify(result, null, 2);
  return (
    <div className={clsx("flex flex-1 flex-col", isStale && "saturate-0")}>
      {isStale && <p className="label mb-4">Last result: {question.number}</p>}
      <Verdict answer={answer} />
      <ResultDrawing result={result} typed={question.number} {...(!result.valid && { problem: reasonOf(answer) })} />
      {!result.valid && !isShort(answer) && <p className="label mt-5">reason: {result.reason}</p>}
      <Suggestion result={result} typed={question.number} onTake={onTake} className="mt-5" />
      <details className="group mt-8">
        <summary className="inline-flex min-h-9 items-center gap-1.5 text-sm text-soft hover:text-ink">
          <Cross />
          Full response
        </summary>
        <CodeBlock label="Response as JSON" code={json} className="mt-2" />
      </details>
      {!isStale && (
        <p className="pt-6 text-sm text-muted">
          {Math.max(1, Math.round(took))} ms round trip
          {remaining !== null && ` · ${remaining} ${remaining === 1 ? "lookup" : "lookups"} left this minute`}
        </p>
      )}
      <p className="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        <TextLink to="/dashboard">Get a free test key</TextLink>
        <TextLink to={reportOf(result)} className="text-muted">
          Report a wrong result
        </TextLink>
      </p>
    </div>
  );
}

interface VerifyButtonProps {
  readonly isEmpty: boolean;
  /** Whether the form's input is being looked up. */
  readonly busy: boolean;
  readonly state: LookUpState;
}

/** Submits the form; busy while that input is pending, and counting down during the wait. */
export function VerifyButton({ isEmpty, busy, state }: VerifyButtonProps) {
  return (
    <Button
      type="submit"
      size="lg"
      variant={isEmpty ? "secondary" : "primary"}
      busy={busy}
      // Not `disabled`, which would lose the focus after a click.
      aria-disabled={isEmpty || state.outcome === "limited"}
      className={clsx(isEmpty ? "text-muted!" : !busy && "aria-disabled:opacity-45")}
    >
      {state.outcome === "limited" ? `Try again in ${state.retryAfter} s` : "Verify"}
    </Button>
  );
}

interface RealPanelProps extends Pick<RealAnswerProps, "isStale" | "onTake"> {
  readonly ref: Ref<HTMLDivElement>;
  /** The last result. */
  readonly answer: Answered | null;
  /** Whether a lookup is pending. */
  readonly isPending: boolean;
  readonly hasFailed: boolean;
}

/** The real result, on demand. The last one is kept until the next. */
export function RealPanel({ ref, answer, isPending, hasFailed, isStale, onTake }: RealPanelProps) {
  return (
    <div
      ref={ref}
      className="flex min-w-0 flex-col border-t border-line p-5 md:p-8 lg:min-h-[38.5rem] lg:border-t-0 lg:border-l"
    >
      <h3 className="min-h-6">{answer === null && hasFailed ? "No result" : "Result"}</h3>
      <div data-real className="mt-4 flex flex-1 flex-col">
        {answer === null ? (
          <AnatomyGhost className={clsx(isPending && "animate-pulse")} />
        ) : (
          <RealAnswer key={answer.turn} {...answer} onTake={onTake} isStale={isStale} />
        )}
      </div>
    </div>
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
