import { useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { ResultDrawing, Suggestion } from "../../components/anatomy/result-drawing.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CONTROL } from "../../components/ui/input.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { ANY_NUMBER } from "../../lib/acceptance.ts";
import { SPECIMENS } from "../../content/specimens.ts";
import { useLookUp } from "./demo/lookup.ts";
import { failureOf, spokenAnswer } from "./demo/real-panel.tsx";

const CHOICES = [
  { value: "BR", label: "Brazil" },
  { value: "US", label: "United States", short: "US" },
  { value: "GB", label: "United Kingdom", short: "UK" },
] as const;
type Choice = keyof typeof SPECIMENS | "own";

/** The anatomy of one number at a time: three public ones, or the visitor's, verified for real. */
export function FirstNumber() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [choice, choose] = useState<Choice>("BR");
  const { state, answer, ask } = useLookUp();

  function verify(number: string): void {
    if (input.current) input.current.value = number;
    choose("own");
    ask({ number, condition: ANY_NUMBER });
  }

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    const number = input.current?.value ?? "";
    if (number.trim() === "") input.current?.focus();
    else verify(number);
  }

  const own = choice === "own" ? answer : null;
  const isWaiting = state.outcome === "pending";
  const specimen = SPECIMENS[choice === "own" ? "BR" : choice];

  function drawing(): ReactNode {
    if (own !== null) {
      return <ResultDrawing key={own.turn} result={own.result} typed={own.question.number} />;
    }
    return <ResultDrawing key={choice === "own" ? "BR" : choice} result={specimen.result} typed="" />;
  }

  return (
    <figure className="mt-4 border-y border-line pt-3 pb-6 md:pb-7">
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
            placeholder="Your number, with +"
            className={`${CONTROL} min-w-0 flex-1 font-mono sm:w-80 sm:flex-none`}
          />
          <Button type="submit" variant="secondary" busy={isWaiting} aria-disabled={state.outcome === "limited"}>
            Verify
          </Button>
        </form>
        <Segmented
          size="sm"
          label="Example number"
          value={choice}
          onChange={choose}
          options={CHOICES as readonly { value: Choice; label: string; short?: string }[]}
        />
      </div>
      <output className="block text-sm text-soft not-empty:mt-3">
        {choice === "own" && failureOf(state)}
        {own !== null && state.outcome === "answered" && <span className="sr-only">{spokenAnswer(own)}</span>}
      </output>
      <div className="mt-2 min-h-72">
        {drawing()}
        {own !== null && (
          <Suggestion result={own.result} typed={own.question.number} onTake={verify} className="mt-6" />
        )}
      </div>
    </figure>
  );
}
