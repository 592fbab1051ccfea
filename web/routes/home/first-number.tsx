import { clsx } from "clsx";
import { useId, useRef, useState } from "react";
import type { FormEvent, ReactNode } from "react";
import { AnatomyGhost } from "../../components/anatomy/anatomy-ghost.tsx";
import { Button } from "../../components/ui/button.tsx";
import { CONTROL } from "../../components/ui/input.tsx";
import { Segmented } from "../../components/ui/segmented.tsx";
import { ANY_NUMBER } from "../../lib/acceptance.ts";
import { SPECIMENS } from "../../content/specimens.ts";
import { Answer, failureOf, spokenAnswer } from "./demo/answer.tsx";
import { useLookUp, VISITOR } from "./demo/lookup.ts";
import { ReadAs } from "./demo/read-as.tsx";
import { Result } from "./demo/result.tsx";

const CHOICES = [
  { value: "US", label: "United States", short: "US" },
  { value: "GB", label: "United Kingdom", short: "UK" },
  { value: "BR", label: "Brazil" },
] as const;
type Choice = keyof typeof SPECIMENS | "own";

/** The anatomy of one number at a time: three public ones, or the visitor's, verified for real. */
export function FirstNumber() {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [choice, setChoice] = useState<Choice>("BR");
  const [typed, setTyped] = useState("");
  const [country, setCountry] = useState(VISITOR);
  const { state, last, answer, ask } = useLookUp();
  const asked = last?.number.trim() ?? "";

  function choose(sample: Choice): void {
    if (input.current) input.current.value = "";
    setTyped("");
    setChoice(sample);
  }

  function verify(number: string, from = country): void {
    if (input.current) input.current.value = number;
    setTyped(number);
    setCountry(from);
    setChoice("own");
    ask({ number, country: from, condition: ANY_NUMBER });
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
    if (choice !== "own") return <Result key={choice} result={SPECIMENS[choice]} typed="" />;
    if (own === null) return <AnatomyGhost className={clsx("max-w-2xl", isWaiting && "animate-pulse")} />;
    return <Answer key={own.turn} answer={own} onTake={verify} />;
  }

  return (
    <figure className="mt-4 border-t border-line pt-3 pb-5 md:pb-6">
      <figcaption className="sr-only">The anatomy of a number</figcaption>
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2.5" data-needs-script>
        <form onSubmit={submit} className="flex w-full flex-wrap items-center gap-x-5 gap-y-1 lg:w-auto">
          <div className="flex w-full gap-2 sm:w-auto">
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
              placeholder="A number, as you’d write it"
              className={`${CONTROL} min-w-0 flex-1 font-mono placeholder:font-sans sm:w-72 sm:flex-none`}
            />
            <Button type="submit" variant="secondary" busy={isWaiting} aria-disabled={state.outcome === "limited"}>
              Verify
            </Button>
          </div>
          <ReadAs
            value={country}
            onChange={(chosen) => (typed.trim() === "" ? setCountry(chosen) : verify(typed, chosen))}
            answer={isOutdated ? null : own}
          />
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
        className={clsx("mt-4 min-h-92 transition-opacity lg:mt-5 lg:min-h-76", isOutdated && "opacity-35")}
      >
        <div role="alert" className="pb-2 text-sm text-invalid empty:absolute">
          {failure}
        </div>
        {drawing()}
      </div>
    </figure>
  );
}
