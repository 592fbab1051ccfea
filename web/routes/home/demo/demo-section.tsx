import { clsx } from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { ConditionChoice } from "../../../components/forms/condition-choice.tsx";
import { ANY_NUMBER } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { AnatomyGhost } from "../../../components/anatomy/anatomy-ghost.tsx";
import { LINE_TYPE_NAMES } from "../../../lib/line-types.ts";
import { Suggestion } from "../../../components/anatomy/result-drawing.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { REGION_COUNT } from "../../../content/coverage.ts";
import { OLD_BRAZILIAN } from "../../../content/specimens.ts";
import { reportOf } from "../../../content/wrong-result.ts";
import { useLate } from "../../../lib/use-late.ts";
import { Section } from "../section.tsx";
import { Answer, failureOf, isBad, spokenAnswer } from "./answer.tsx";
import { isSame, useLookUp, VISITOR } from "./lookup.ts";
import type { Answered, LookUpState, Question } from "./lookup.ts";
import { ReadAs } from "./read-as.tsx";
import { Result } from "./result.tsx";
import { MIN_DIGITS, RECHECK_MS, simulate } from "./simulate.ts";
import type { Simulation } from "./simulate.ts";

interface PreviewProps {
  readonly verdict: Simulation;
  readonly checking: boolean;
  /** Whether the number is too short because it is still being typed. */
  readonly typing: boolean;
  /** Whether it has digits and no plus sign. */
  readonly national: boolean;
}

function PreviewBadge({ verdict, checking, typing, national }: PreviewProps) {
  if (checking) return <Badge>Checking</Badge>;
  if (typing) return <Badge>Keep typing</Badge>;
  if (verdict.valid) return <Badge tone="possible">Looks valid</Badge>;
  // A national number may well be valid: only Verify can tell.
  if (national) return <Badge>No preview</Badge>;
  return verdict.reason !== "empty" && <Badge tone="invalid">Invalid</Badge>;
}

/** What the browser alone says about the format. It never claims to be the result. */
function previewText(verdict: Simulation): ReactNode {
  if (!verdict.valid) return verdict.message;
  const { country, carrier, line_type } = verdict;
  const type = line_type === null ? "Unknown" : LINE_TYPE_NAMES[line_type];
  return (
    <>
      Looks right so far. Simulated preview:{" "}
      <span className="inline-block">
        {country.name} ({country.prefix}) · sample carrier {carrier} · {type}
      </span>
    </>
  );
}

/** The simulation's verdict on an input, updated once typing has paused; `checking` until then. */
function useSimulation(input: string): { readonly verdict: Simulation; readonly checking: boolean } {
  const [checked, setChecked] = useState({ input, verdict: simulate(input) });
  useEffect(() => {
    const timer = setTimeout(() => setChecked({ input, verdict: simulate(input) }), RECHECK_MS);
    return () => clearTimeout(timer);
  }, [input]);
  return { verdict: checked.verdict, checking: checked.input !== input };
}

/** After this long, a pending lookup says that it is still pending. */
const SLOW_MS = 3000;

interface Example extends Pick<Question, "number" | "condition"> {
  readonly name: string;
}

/** Numbers with something to say about them: the usual ones are in the hero. */
const EXAMPLES: readonly Example[] = [
  { name: "Old Brazilian number", number: "+55 11 8765 4321", condition: ANY_NUMBER },
  { name: "Missing plus sign", number: "12025550108", condition: ANY_NUMBER },
  {
    name: "Landline where you need a mobile",
    number: "+44 20 7981 3000",
    condition: { ...ANY_NUMBER, type: "mobile" },
  },
  { name: "Movie number", number: "+44 7700 900123", condition: ANY_NUMBER },
  { name: "Ends in zeros", number: "+1 202 555 0000", condition: ANY_NUMBER },
];

interface NumberFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Where the number is from. */
  readonly country: ReactNode;
  readonly condition: Condition;
  readonly onCondition: (condition: Condition) => void;
  readonly onSubmit: () => void;
  /** Verifies an example. */
  readonly onExample: (example: Example) => void;
  /** Gets whether the field has the focus. */
  readonly onFocus: (focused: boolean) => void;
  /** Submits. */
  readonly button: ReactNode;
  /** Above the field, at the end of the label's line. */
  readonly badge: ReactNode;
  /** What there is to say about the number, under the field. */
  readonly reply: ReactNode;
  /** Why the last lookup failed; null if it didn't. */
  readonly failure: ReactNode;
  readonly invalid: boolean;
}

/** A number, which of them to accept, and some examples. */
function NumberField(props: NumberFieldProps) {
  const { value, onChange, country, condition, onCondition, onSubmit, onExample, onFocus } = props;
  const { button, badge, reply, failure, invalid } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // What was typed before the script arrived.
  useEffect(() => {
    if (input.current?.value) onChange(input.current.value);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once.
  }, []);
  return (
    <form
      className="flex min-w-0 flex-col p-5 md:p-8"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className="flex min-h-5.5 items-center justify-between gap-4">
        <label htmlFor={id} className="text-sm font-medium text-ink">
          Phone number
        </label>
        {badge}
      </div>
      <input
        ref={input}
        id={id}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        placeholder="+55 11 98765 4321"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onFocus={() => onFocus(true)}
        onBlur={() => onFocus(false)}
        aria-describedby={`${id}-reply`}
        aria-invalid={invalid}
        className="mt-2 block w-full min-w-0 border-b border-edge bg-transparent py-2 font-mono text-2xl leading-tight placeholder:text-edge focus-visible:border-transparent focus-visible:outline-offset-8 aria-invalid:border-invalid"
      />
      {/* Its longest preview fits. */}
      <div className="mt-3 min-h-15 sm:min-h-10">
        <p
          id={`${id}-reply`}
          aria-live="polite"
          className={clsx("text-sm text-balance", invalid ? "text-invalid" : "text-soft")}
        >
          {reply}
        </p>
        <div role="alert" className="text-sm text-balance text-invalid">
          {failure}
        </div>
      </div>
      {country}
      <ConditionChoice className="mt-2 grid-cols-2! gap-3!" value={condition} onChange={onCondition} />
      <div className="mt-4 grid">{button}</div>
      <h3 id={`${id}-examples`} className="mt-6 text-sm font-medium tracking-normal">
        Tricky numbers
      </h3>
      <ul
        className="fade-end -m-1 mt-1.5 flex gap-2 overflow-x-auto p-1 [scrollbar-width:none] sm:flex-wrap"
        aria-labelledby={`${id}-examples`}
      >
        {EXAMPLES.map((example) => (
          <li key={example.name} className="shrink-0">
            <button
              type="button"
              onClick={() => onExample(example)}
              className="min-h-9 rounded-full border border-line px-3.5 text-sm text-soft hover:border-edge hover:text-ink pointer-coarse:min-h-11"
            >
              {example.name}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}

/** Submits the form; busy while that input is pending, and counting down during the wait. */
function VerifyButton({ isEmpty, busy, state }: { isEmpty: boolean; busy: boolean; state: LookUpState }) {
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

/** What stays below a result. */
function Further({ answer: { result, remaining } }: { answer: Answered }) {
  return (
    <p className="mt-auto flex flex-wrap gap-x-5 gap-y-1 pt-6 text-sm text-muted">
      {remaining !== null && (
        <span>
          {remaining} {remaining === 1 ? "lookup" : "lookups"} left this minute
        </span>
      )}
      <TextLink to="/dashboard">Get a free test key</TextLink>
      <TextLink to={reportOf(result)}>Report a wrong result</TextLink>
    </p>
  );
}

/** The interactive demo: a preview while typing, and the engine's result after clicking Verify. */
export function DemoSection() {
  const [number, setNumber] = useState("");
  const [country, setCountry] = useState(VISITOR);
  const [condition, setCondition] = useState<Condition>(ANY_NUMBER);
  const panel = useRef<HTMLDivElement>(null);
  const question = { number, country, condition };
  const { verdict, checking } = useSimulation(number);
  const { state, last, answer, ask } = useLookUp();
  const [focused, setFocused] = useState(false);
  const wrong = !verdict.valid && verdict.reason !== "empty";
  // More digits don't make a number of letters.
  const typing = focused && wrong && !/\p{L}/u.test(number) && number.replaceAll(/\D/g, "").length < MIN_DIGITS;
  /** Whether the last lookup, whatever came of it, was of the form's input. */
  const isCurrent = last !== null && isSame(question, last);
  const isPending = state.outcome === "pending" && isCurrent;
  const isSlow = useLate(isPending, SLOW_MS);
  const isNew = state.outcome === "answered" && isCurrent && answer !== null;
  /** Whether the engine's result for this number is here, and the preview has nothing to add. */
  const isKnown = answer !== null && answer.question.number.trim() === number.trim();
  // On a phone the result is below the form.
  useEffect(() => {
    if (answer === null) return;
    const isCalm = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    panel.current?.scrollIntoView({ block: "nearest", behavior: isCalm ? "auto" : "smooth" });
  }, [answer]);
  // What came of another number says nothing about this one, but the limit applies to all.
  const failure = isCurrent || state.outcome === "limited" ? failureOf(state) : null;
  // Sample data next to an error would pass for a result.
  const isPreviewed = !isKnown && !(verdict.valid && failure !== null);

  /** Fills in a question, and asks it. */
  function take(changed: Partial<Question>): void {
    const next = { ...question, ...changed };
    setNumber(next.number);
    setCountry(next.country);
    setCondition(next.condition);
    ask(next);
  }

  function badge(): ReactNode {
    if (isPending) return null;
    if (isPreviewed) {
      const national = /^[^+]*\d[^+]*$/.test(number);
      return <PreviewBadge verdict={verdict} checking={checking} typing={typing} national={national} />;
    }
    return (
      isNew && isBad(answer.result) && <Badge tone="invalid">{answer.result.valid ? "Not accepted" : "Invalid"}</Badge>
    );
  }

  function reply(): ReactNode {
    if (isPending) return isSlow ? "Still verifying…" : "Verifying…";
    if (isPreviewed) return <span className={clsx(checking && "opacity-60")}>{previewText(verdict)}</span>;
    // Wide screens show the result beside the form; on a phone it's below.
    return isNew && <span className="lg:sr-only">{spokenAnswer(answer)}</span>;
  }

  function result(): ReactNode {
    if (answer !== null) {
      return (
        <div key={answer.turn} className={clsx("flex flex-1 flex-col", !isNew && "saturate-0")}>
          {!isNew && <p className="label mb-4">Last result: {answer.question.number}</p>}
          <Answer answer={answer} onTake={(suggested) => take({ number: suggested })} />
          <Further answer={answer} />
        </div>
      );
    }
    if (state.outcome !== "idle") return <AnatomyGhost className={clsx(isPending && "animate-pulse")} />;
    return (
      <>
        <p className="label mb-4">Example: {EXAMPLES[0]!.name}</p>
        <Result result={OLD_BRAZILIAN} typed="">
          <Suggestion
            result={OLD_BRAZILIAN}
            typed=""
            onTake={(suggested) => take({ number: suggested })}
            className="mt-5"
          />
        </Result>
      </>
    );
  }

  return (
    <Section
      id="demo"
      title="Try a tricky number"
      lead={`As you type, your browser checks the format for four countries. Verify runs the real engine for all ${REGION_COUNT}. Nothing you type is stored.`}
    >
      <noscript>
        <p className="rounded-md border border-edge p-5">
          The demo needs JavaScript. You can also run the samples above in a terminal.
        </p>
      </noscript>
      <div
        className="grid rounded-lg border border-line bg-surface lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]"
        data-needs-script
      >
        <NumberField
          value={number}
          onChange={setNumber}
          country={
            <ReadAs
              value={country}
              onChange={(chosen) => (isKnown ? take({ country: chosen }) : setCountry(chosen))}
              answer={isKnown ? answer : null}
            />
          }
          condition={condition}
          onCondition={setCondition}
          onSubmit={() => ask(question)}
          onExample={({ number: sample, condition: own }) => take({ number: sample, condition: own })}
          button={<VerifyButton isEmpty={number.trim() === ""} busy={isPending} state={state} />}
          badge={badge()}
          reply={reply()}
          failure={failure}
          onFocus={setFocused}
          invalid={isKnown ? isNew && isBad(answer.result) : wrong && !checking && !typing}
        />
        <div
          ref={panel}
          className={clsx(
            "min-w-0 flex-col border-t border-line p-5 md:p-8 lg:flex lg:min-h-[36rem] lg:border-t-0 lg:border-l",
            state.outcome === "idle" && answer === null ? "hidden" : "flex",
          )}
        >
          <h3 className="min-h-6">{answer === null && failure !== null ? "No result" : "Result"}</h3>
          <div data-real className="mt-4 flex flex-1 flex-col">
            {result()}
          </div>
        </div>
      </div>
    </Section>
  );
}
