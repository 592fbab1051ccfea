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
  readonly problem?: string;
  readonly className?: string;
}

/** Any result as a drawing: a valid number with its verdict, an invalid one with what is wrong. */
export function ResultDrawing({ result, typed, problem, className }: ResultDrawingProps) {
  if (!result.valid) {
    const why = problem ?? problemOf(result);
    return <Anatomy parts={brokenAnatomyOf(result, typed, why)} className={clsx("anatomy-broken", className)} />;
  }
  // Green says that all is well: a number that nobody can be reached at, or that isn't accepted, gets another color.
  const tick =
    result.accepted === false
      ? "[--signal:var(--ink)]"
      : result.deliverability.flags.length > 0 && "[--signal:var(--possible)]";
  return <Anatomy parts={anatomyOf(result)} verdict={verdictOf(result)} className={clsx(tick, className)} />;
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
          <ins className="font-semibold text-signal decoration-2 underline-offset-4">{added}</ins>
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
