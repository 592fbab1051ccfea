import { clsx } from "clsx";
import type { VerificationResult } from "../../../contract/verification.ts";
import { Button } from "../ui/button.tsx";
import { anatomyOf, brokenAnatomyOf, problemOf, suggestedDigits, suggestionText, verdictOf } from "./anatomy-of.ts";
import { Anatomy } from "./anatomy.tsx";

interface ResultDrawingProps {
  readonly result: VerificationResult;
  /** What was sent, drawn if no number could be read from it. */
  readonly typed: string;
  /** Why the number is invalid; by default, what the result's reason says. */
  readonly problem?: string | undefined;
  /** Milliseconds until the response; null, as by default, if it wasn't a call. */
  readonly took?: number | null | undefined;
  readonly hasStops?: boolean;
  readonly className?: string;
}

/** Any result as a drawing: a valid number with its verdict, an invalid one with what is wrong. */
export function ResultDrawing({
  result,
  typed,
  problem,
  took = null,
  hasStops = false,
  className,
}: ResultDrawingProps) {
  const shared = { verdict: verdictOf(result, took), hasStops };
  if (!result.valid) {
    const parts = brokenAnatomyOf(result, typed, problem ?? problemOf(result));
    return <Anatomy parts={parts} className={className} {...shared} />;
  }
  // Green says that all is well: a number that nobody can be reached at, or that isn't accepted, gets another color.
  const tick =
    result.accepted === false
      ? "[--signal:var(--ink)]"
      : result.deliverability.flags.length > 0 && "[--signal:var(--possible)]";
  return <Anatomy parts={anatomyOf(result)} className={clsx(tick, className)} {...shared} />;
}

interface SuggestionProps {
  readonly result: VerificationResult;
  readonly typed: string;
  /** Verifies the suggested number. */
  readonly onTake: (number: string) => void;
  readonly className?: string;
}

/** Asks whether another number was meant, and marks what it adds: the engine never decides that. */
export function Suggestion({ result, typed, onTake, className }: SuggestionProps) {
  if (result.suggestion === null) return null;
  const { number } = result.suggestion;
  const [start, added, end] = suggestedDigits(result.number ?? typed, number);
  return (
    <p className={clsx("flex flex-wrap items-center gap-x-3 gap-y-2 text-soft", className)}>
      <span>
        Did you mean{" "}
        <span className="font-mono text-ink">
          {start}
          <ins className="font-medium text-signal decoration-2 underline-offset-4">{added}</ins>
          {end}
        </span>
        ? {suggestionText(result)}
      </span>
      <Button size="sm" variant="secondary" onClick={() => onTake(number)}>
        Try this number
      </Button>
    </p>
  );
}
