import { clsx } from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { AnatomyGhost } from "../../components/anatomy/anatomy-ghost.tsx";
import { ResultDrawing, Suggestion } from "../../components/anatomy/result-drawing.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CONTROL } from "../../components/ui/input.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { ANY_NUMBER } from "../../lib/acceptance.ts";
import { SPECIMENS } from "../../content/specimens.ts";
import { useLookUp } from "./demo/lookup.ts";
import type { Answered } from "./demo/lookup.ts";
import { failureOf, spokenAnswer } from "./demo/real-panel.tsx";

const CHOICES = [
  { value: "BR", label: "Brazil" },
  { value: "US", label: "United States", short: "US" },
  { value: "GB", label: "United Kingdom", short: "UK" },
] as const;
type Choice = keyof typeof SPECIMENS | "own";

export interface FirstNumberProps {
  /** Gets each result of the visitor's own number. */
  readonly onVerified: (answer: Answered) => void;
}

/** The anatomy of one number at a time: three public ones, or the visitor's, verified for real. */
export function FirstNumber({ onVerified }: FirstNumberProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [choice, setChoice] = useState<Choice>("BR");
  const [typed, setTyped] = useState("");
  const { state, last, answer, ask } = useLookUp();
  const asked = last?.number.trim() ?? "";
  useEffect(() => {
    // Someone who has moved on to the demo keeps what they type there.
    if (answer !== null && document.querySelector("#demo :focus") === null) onVerified(answer);
  }, [answer, onVerified]);

  function choose(sample: Choice): void {
    if (input.current) input.current.value = "";
    setTyped("");
    setChoice(sample);
  }

  function verify(number: string): void {
    if (input.current) input.current.value = number;
    setTyped(number);
    setChoice("own");
    ask({ number, condition: ANY_NUMBER });
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const number = input.current?.value ?? "";
    if (number.trim() === "") input.current?.focus();
    else verify(number);
  }

  const isWaiting = state.outcome === "pending";
  const failure = choice === "own" ? failureOf(state) : null;
  const own = choice === "own" && !isWaiting && failure === null ? answer : null;

  // A check mark under other digits would pass for their result.
  const isOutdated = typed.trim() !== (choice === "own" ? asked : "");

  function drawing(): ReactNode {
    if (choice !== "own") return <ResultDrawing key={choice} result={SPECIMENS[choice]} typed="" />;
    if (own === null) return <AnatomyGhost className={clsx(isWaiting && "animate-pulse")} />;
    return (
      <>
        <ResultDrawing key={own.turn} result={own.result} typed={own.question.number} />
        <Suggestion result={own.result} typed={own.question.number} onTake={verify} className="mt-6" />
      </>
    );
  }

  return (
    <figure className="relative mt-4 border-y border-line pt-3 pb-6 md:pb-7">
      <figcaption className="sr-only">The anatomy of a number</figcaption>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3" data-needs-script>
        <form onSubmit={submit} className="flex w-full gap-2 sm:w-auto">
          <label htmlFor={id} className="sr-only">
            Your own number
          </label>
          <input
            ref={input}
            id={id}
            name="number"
            type="tel"
            inputMode="tel"
            autoComplete="off"
            spellCheck={false}
            maxLength={40}
            onInput={(event) => setTyped(event.currentTarget.value)}
            placeholder="Phone number with country code"
            className={`${CONTROL} min-w-0 flex-1 font-mono placeholder:font-sans max-sm:placeholder:text-sm sm:w-80 sm:flex-none`}
          />
          <Button type="submit" variant="secondary" busy={isWaiting} aria-disabled={state.outcome === "limited"}>
            Verify
          </Button>
        </form>
        <Segmented<Choice>
          size="sm"
          label="Example number"
          value={choice}
          onChange={choose}
          options={choice === "own" ? [...CHOICES, { value: "own", label: "Yours" }] : CHOICES}
        />
      </div>
      <output className="sr-only">{own !== null && spokenAnswer(own)}</output>
      {/* As high as the samples' drawings, so that nothing below moves. */}
      <div
        data-drawn
        className={clsx(
          "mt-3 min-h-[27.25rem] transition-opacity min-[57rem]:mt-6 min-[32.5rem]:min-h-80 min-[57rem]:min-h-[16.5rem]",
          isOutdated && "opacity-35",
        )}
      >
        <div role="alert" className="pb-2 text-sm text-invalid empty:absolute">
          {failure}
        </div>
        {drawing()}
      </div>
      <p className="mt-4 text-sm min-[57rem]:absolute min-[57rem]:right-0 min-[57rem]:bottom-9.5" data-needs-script>
        <TextLink to="#demo" className="text-soft">
          Set conditions, and see the full response
        </TextLink>
      </p>
    </figure>
  );
}
