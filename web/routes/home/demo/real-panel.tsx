import { clsx } from "clsx";
import { DEMO_LOOKUPS_PER_MINUTE, REQUESTS_PER_MINUTE } from "../../../../contract/limits.ts";
import { AnatomyGhost } from "../../../components/anatomy/anatomy-ghost.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { RealAnswer } from "./real-answer.tsx";
import { spokenAnswer } from "./spoken-answer.ts";
import type { AskedLookUp, LookUpState } from "./use-look-up.ts";

interface Props {
  readonly number: string;
  readonly lookUp: AskedLookUp;
}

/** The true answer, on demand. The last one stays until there is another. */
export function RealPanel({ number, lookUp }: Props) {
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
          // Not `disabled`, which would take the focus from whoever has just pressed it.
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

/** What stands below the drawing; an answer speaks for itself. */
function statusOf(state: LookUpState): string | null {
  switch (state.outcome) {
    case "idle":
      return "One press sends the number to the engine that answers the API, and shows what it says.";
    case "asking":
      return "Asking…";
    case "answered":
      return null;
    case "limited":
      return `The demo gives ${DEMO_LOOKUPS_PER_MINUTE} look-ups a minute to one address. A test key gives ${REQUESTS_PER_MINUTE.test}.`;
    case "refused":
      return state.message;
    case "unreachable":
      return "No answer arrived. Check your connection, then ask again.";
  }
}
