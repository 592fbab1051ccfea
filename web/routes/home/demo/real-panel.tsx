import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { DEMO_LOOKUPS_PER_MINUTE, REQUESTS_PER_MINUTE } from "../../../../contract/limits.ts";
import type { InvalidReason, VerificationResult } from "../../../../contract/verification.ts";
import { anatomyOf, FLAG_NAMES, LINE_TYPE_NAMES, SUGGESTION_NAMES } from "../../../components/anatomy/anatomy-of.ts";
import type { Part } from "../../../components/anatomy/anatomy-of.ts";
import { Anatomy } from "../../../components/anatomy/anatomy.tsx";
import { Button } from "../../../components/ui/button.tsx";
import type { Answered, AskedLookUp, LookUpState } from "./look-up.ts";

/** Why a number is not valid, as one would say it. */
const REASONS: Record<InvalidReason, string> = {
  NOT_A_NUMBER: "There is no phone number in this.",
  MISSING_COUNTRY_CODE: "Without + and a calling code it could be anywhere.",
  INVALID_COUNTRY_CODE: "No country has this calling code.",
  TOO_SHORT: "Too short for its country.",
  TOO_LONG: "Too long for its country.",
  INVALID_LENGTH: "No number of its country has this length.",
  LOCAL_ONLY: "It can be called from inside its area only.",
  UNASSIGNED_RANGE: "The length is right, but this range is not assigned.",
  SHORT_CODE: "A short code: it can be dialed in its country only.",
};

/** The result in one line, for screen readers. */
function spokenAnswer(result: VerificationResult): string {
  const meant = result.suggestion === null ? "" : ` Did you mean ${result.suggestion.number}?`;
  if (!result.valid) return `Not valid. ${REASONS[result.reason ?? "NOT_A_NUMBER"]}${meant}`;
  const type = result.line_type === null ? null : LINE_TYPE_NAMES[result.line_type];
  return `Valid: ${[result.country_name, result.location, result.carrier, type].filter((part) => part !== null).join(", ")}.${meant}`;
}

interface SuggestionProps {
  readonly suggestion: NonNullable<VerificationResult["suggestion"]>;
  readonly onTake: (number: string) => void;
}

/** Asks whether another number was meant: the engine never decides that. */
function Suggestion({ suggestion: { number, reason }, onTake }: SuggestionProps) {
  return (
    <p className="mt-5 flex flex-wrap items-center gap-x-3 gap-y-2 text-soft">
      <span>
        Did you mean <span className="font-mono text-ink">{number}</span>, {SUGGESTION_NAMES[reason]}?
      </span>
      <Button size="sm" variant="secondary" onClick={() => onTake(number)}>
        Try this number
      </Button>
    </p>
  );
}

type RealAnswerProps = Answered & {
  /** Whether the field holds another number by now, or another call is under way. */
  readonly isStale: boolean;
  readonly onTake: (number: string) => void;
};

/** The engine's result: the anatomy of a valid number, the reason of an invalid one, and the JSON behind both. */
function RealAnswer({ result, asked, took, remaining, isStale, onTake }: RealAnswerProps) {
  return (
    <div className={clsx("flex flex-1 flex-col transition-opacity", isStale && "opacity-55")}>
      {result.valid ? (
        <Anatomy parts={anatomyOf(result)} />
      ) : (
        <div className="animate-appear">
          <p className="font-mono text-[clamp(1.375rem,1rem+1.6vw,2.25rem)] break-all text-muted line-through decoration-invalid decoration-2">
            {result.number ?? asked}
          </p>
          <p className="mt-5 text-xl font-medium text-invalid">{REASONS[result.reason ?? "NOT_A_NUMBER"]}</p>
          <p className="label mt-2">reason: {result.reason}</p>
          {result.deliverability.flags.map((flag) => (
            <p key={flag} className="mt-3 font-medium text-possible">
              {FLAG_NAMES[flag]}
            </p>
          ))}
        </div>
      )}
      {result.suggestion !== null && <Suggestion suggestion={result.suggestion} onTake={onTake} />}
      <details className="group mt-8">
        <summary className="inline-flex min-h-9 list-none items-center gap-1.5 text-sm text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
          <ChevronRight aria-hidden="true" className="size-3.5 transition-transform group-open:rotate-90" />
          The whole response
        </summary>
        <pre
          tabIndex={0}
          aria-label="The response as JSON"
          className="mt-2 max-h-80 overflow-auto rounded-md border border-line bg-sunken p-4 font-mono text-xs leading-5"
        >
          {JSON.stringify(result, null, 2)}
        </pre>
      </details>
      <p className="mt-auto pt-6 text-sm text-muted">
        Answered in {Math.max(1, Math.round(took))} ms, there and back.
        {remaining !== null && !isStale && ` ${remaining} left this minute.`}
      </p>
    </div>
  );
}

const BLANKS: readonly Part[] = [
  { digits: "+··", facts: [{ label: "Country", value: "–" }] },
  { digits: "··", facts: [{ label: "Area", value: "–" }] },
  {
    digits: "····· ····",
    facts: [
      { label: "Carrier", value: "–" },
      { label: "Line type", value: "–" },
    ],
  },
];

/** The anatomy's empty form: holds its place until there is a number to take apart. */
function AnatomyGhost({ className }: { className?: string }) {
  return (
    <div aria-hidden="true" className={clsx("anatomy-ghost", className)}>
      <Anatomy parts={BLANKS} />
    </div>
  );
}

interface RealPanelProps {
  readonly number: string;
  readonly lookUp: AskedLookUp;
  /** Puts a suggested number into the field. */
  readonly onTake: (number: string) => void;
}

/** The true result, on demand. The last one is kept until the next. */
export function RealPanel({ number, lookUp, onTake }: RealPanelProps) {
  const { state, answer, ask } = lookUp;
  const isOutOfUse = number.trim() === "" || state.outcome === "limited";
  const status = statusOf(state);
  return (
    <div className="flex flex-col border-t border-line p-5 md:p-8 lg:border-t-0 lg:border-l">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3>For real</h3>
        <Button
          size="sm"
          busy={state.outcome === "asking"}
          // Not `disabled`, which would take the focus away after a press.
          aria-disabled={isOutOfUse}
          className="aria-disabled:opacity-45"
          onClick={() => ask(number)}
        >
          {state.outcome === "limited" ? `Again in ${state.retryAfter} s` : "Check it for real"}
        </Button>
      </div>
      <div data-real className="mt-6 flex min-h-96 flex-1 flex-col">
        {answer === null ? (
          <AnatomyGhost className={clsx(state.outcome === "asking" && "animate-pulse")} />
        ) : (
          <RealAnswer
            key={answer.turn}
            {...answer}
            onTake={onTake}
            isStale={state.outcome !== "answered" || number.trim() !== answer.asked.trim()}
          />
        )}
        <output className="mt-auto block max-w-[48ch] pt-6 text-sm text-muted empty:hidden">{status}</output>
      </div>
      <output className="sr-only">
        {state.outcome === "answered" && answer !== null && spokenAnswer(answer.result)}
      </output>
    </div>
  );
}

/** The line below the drawing; a result needs none. */
function statusOf(state: LookUpState): string | null {
  switch (state.outcome) {
    case "idle":
      return "One press sends the number to the engine that answers the API, and shows what it says.";
    case "asking":
      return "Asking…";
    case "answered":
      return null;
    case "limited":
      return `The demo gives ${DEMO_LOOKUPS_PER_MINUTE} lookups a minute to one address. A test key gives ${REQUESTS_PER_MINUTE.test}.`;
    case "refused":
      return state.message;
    case "unreachable":
      return "No response arrived. Check your connection, then ask again.";
  }
}
