import { Button } from "../../../components/ui/button.tsx";
import { AnatomyGhost } from "../../../components/anatomy/anatomy-ghost.tsx";
import { RealAnswer } from "./real-answer.tsx";
import type { AskedLookUp, LookUpState } from "./use-look-up.ts";

interface Props {
  readonly number: string;
  readonly lookUp: AskedLookUp;
}

/** The true answer, on demand. */
export function RealPanel({ number, lookUp }: Props) {
  const { state, asked, turn, ask } = lookUp;
  const limited = state.outcome === "limited";
  return (
    <div className="flex flex-col border-t border-line p-5 md:p-8 lg:border-t-0 lg:border-l">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3>For real</h3>
        <Button
          size="sm"
          busy={state.outcome === "asking"}
          disabled={number.trim() === "" || limited}
          onClick={() => ask(number)}
        >
          {limited ? `Again in ${state.retryAfter} s` : "Check it for real"}
        </Button>
      </div>
      <div aria-live="polite" className="mt-6 flex min-h-96 flex-1 flex-col">
        {state.outcome === "answered" ? (
          <RealAnswer key={turn} {...state} asked={asked} />
        ) : (
          <>
            <AnatomyGhost className={state.outcome === "asking" ? "animate-pulse" : ""} />
            <p className="mt-auto max-w-[48ch] pt-6 text-sm text-muted">{messageOf(state)}</p>
          </>
        )}
      </div>
    </div>
  );
}

function messageOf(state: Exclude<LookUpState, { outcome: "answered" }>): string {
  switch (state.outcome) {
    case "idle":
      return "One press sends the number to the engine that answers the API, and shows what it says.";
    case "asking":
      return "Asking…";
    case "limited":
      return "Five look-ups a minute is what the demo gives to one address. A test key gives sixty.";
    case "refused":
      return state.message;
    case "unreachable":
      return "No answer arrived. Check your connection, then ask again.";
  }
}
