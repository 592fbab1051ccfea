import { clsx } from "clsx";
import { useEffect, useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import { LINE_TYPE_NAMES } from "../../../components/anatomy/anatomy-of.ts";
import { ConditionChoice } from "../../../components/forms/condition-choice.tsx";
import { ANY_NUMBER } from "../../../lib/acceptance.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Failure } from "../../../components/ui/notice.tsx";
import { REGION_COUNT } from "../../../content/coverage.ts";
import { useLate } from "../../../lib/use-late.ts";
import { SectionHeading } from "../section-heading.tsx";
import { isSame, useLookUp } from "./lookup.ts";
import { failureOf, isBad, RealPanel, spokenAnswer, VerifyButton } from "./real-panel.tsx";
import { MIN_DIGITS, RECHECK_MS, simulate } from "./simulate.ts";
import type { Simulation } from "./simulate.ts";

interface PreviewProps {
  readonly verdict: Simulation;
  readonly checking: boolean;
  /** Whether the number is too short because it is still being typed. */
  readonly typing: boolean;
}

function PreviewBadge({ verdict, checking, typing }: PreviewProps) {
  if (checking) return <Badge>Checking</Badge>;
  if (typing) return <Badge>Keep typing</Badge>;
  if (verdict.valid) return <Badge tone="possible">Looks valid</Badge>;
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
        {country.name} ({country.prefix}) · {carrier} · {type}
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

const EXAMPLES = [
  { number: "+55 11 8765 4321", name: "Old Brazilian number" },
  { number: "+55 11 98765 4321", name: "Brazil" },
  { number: "+1 202 555 0123", name: "United States" },
  { number: "+351 912 345 678", name: "Portugal" },
  { number: "+44 20 7946 0018", name: "United Kingdom" },
  { number: "+44 7700 900123", name: "Movie number" },
  { number: "+1 202 555 0000", name: "Ends in zeros" },
] as const;

interface NumberFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly condition: Condition;
  readonly onCondition: (condition: Condition) => void;
  readonly onSubmit: () => void;
  /** Gets whether the field has the focus. */
  readonly onFocus: (focused: boolean) => void;
  /** The button in the field's row. */
  readonly button: ReactNode;
  /** Above the field, at the end of the label's line. */
  readonly badge: ReactNode;
  /** What there is to say about the number, under the field. */
  readonly reply: ReactNode;
  /** Why the last lookup failed; null if it didn't. */
  readonly failure: ReactNode;
  readonly invalid: boolean;
}

/** One number in large type, and some to start with. */
function NumberField(props: NumberFieldProps) {
  const { value, onChange, condition, onCondition, onSubmit, onFocus, button, badge, reply, failure, invalid } = props;
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // What was typed before the script arrived.
  useEffect(() => {
    if (input.current?.value) onChange(input.current.value);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- Once.
  }, []);
  return (
    <form
      className="p-5 md:p-8"
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
      <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-4">
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
          className="block min-w-0 flex-1 basis-64 border-b border-edge aria-invalid:border-invalid bg-transparent py-2 font-mono text-[clamp(1.5rem,0.6rem+4vw,3.75rem)] leading-tight tracking-[-0.02em] placeholder:text-edge focus-visible:border-transparent focus-visible:outline-offset-8"
        />
        {/* Two lines of the reply fit on a phone, one on wider screens. */}
        <div className="grid min-h-11 w-full content-start gap-2 sm:order-last sm:min-h-8">
          <p
            id={`${id}-reply`}
            aria-live="polite"
            className={clsx("text-sm sm:text-base", invalid ? "text-invalid" : "text-soft")}
          >
            {reply}
          </p>
          <Failure>{failure}</Failure>
        </div>
        {button}
      </div>
      <div className="mt-4 flex flex-wrap items-end justify-between gap-x-8 gap-y-5">
        <ul className="flex flex-wrap gap-2" aria-label="Example numbers">
          {EXAMPLES.map(({ number, name }) => (
            <li key={number}>
              <button
                type="button"
                onClick={() => onChange(number)}
                className="min-h-9 rounded-full pointer-coarse:min-h-11 border border-line px-3.5 text-sm text-soft hover:border-edge hover:text-ink"
              >
                {name}
              </button>
            </li>
          ))}
        </ul>
        <ConditionChoice className="w-full sm:w-104" value={condition} onChange={onCondition} />
      </div>
    </form>
  );
}

/** The interactive demo: a preview while typing, and the engine's result after clicking Verify. */
export function DemoSection() {
  const [number, setNumber] = useState("");
  const [condition, setCondition] = useState<Condition>(ANY_NUMBER);
  const question = { number, condition };
  const { verdict, checking } = useSimulation(number);
  const lookUp = useLookUp();
  const [focused, setFocused] = useState(false);
  const wrong = !verdict.valid && verdict.reason !== "empty";
  // More digits don't make a number of letters.
  const typing = focused && wrong && !/\p{L}/u.test(number) && number.replaceAll(/\D/g, "").length < MIN_DIGITS;
  const { state, last, answer } = lookUp;
  /** Whether the last lookup, whatever came of it, was of the form's input. */
  const isCurrent = last !== null && isSame(question, last);
  const isPending = state.outcome === "pending" && isCurrent;
  const isSlow = useLate(isPending, SLOW_MS);
  const isNew = state.outcome === "answered" && isCurrent && answer !== null;
  /** Whether the engine's result for this number is here, and the preview has nothing to add. */
  const isKnown = answer !== null && answer.question.number.trim() === number.trim();
  // What came of another number says nothing about this one, but the limit applies to all.
  const failure = isCurrent || state.outcome === "limited" ? failureOf(state) : null;
  // Sample data next to an error would pass for a result.
  const isPreviewed = !isKnown && !(verdict.valid && failure !== null);

  function badge(): ReactNode {
    if (isPending) return null;
    if (isPreviewed) return <PreviewBadge verdict={verdict} checking={checking} typing={typing} />;
    return (
      isNew && isBad(answer.result) && <Badge tone="invalid">{answer.result.valid ? "Not accepted" : "Invalid"}</Badge>
    );
  }

  function reply(): ReactNode {
    if (isPending) return isSlow ? "Still verifying…" : "Verifying…";
    if (isPreviewed) return <span className={clsx(checking && "opacity-60")}>{previewText(verdict)}</span>;
    // Wide screens show the result at a glance; on a phone it's below the examples.
    return isNew && <span className="sm:sr-only">{spokenAnswer(answer)}</span>;
  }

  return (
    <section id="demo" aria-labelledby="demo-title" className="border-t border-line">
      <div className="page-width py-14 md:py-28">
        <SectionHeading id="demo-title" title="Try a number">
          Type for an instant format check in your browser (four countries). Press Verify for the real thing: the API’s
          own engine, all {REGION_COUNT} countries and territories. Nothing you type is stored.
        </SectionHeading>
        <noscript>
          <p className="mt-10 rounded-md border border-edge p-5">
            The demo needs JavaScript. You can also run the samples above in a terminal.
          </p>
        </noscript>
        <div className="mt-12 rounded-lg border border-line bg-surface" data-needs-script>
          <NumberField
            value={number}
            onChange={setNumber}
            condition={condition}
            onCondition={setCondition}
            onSubmit={() => lookUp.ask(question)}
            button={<VerifyButton isEmpty={number.trim() === ""} busy={isPending} state={state} />}
            badge={badge()}
            reply={reply()}
            failure={failure}
            onFocus={setFocused}
            invalid={isKnown ? isNew && isBad(answer.result) : wrong && !checking && !typing}
          />
          <RealPanel
            answer={answer}
            isPending={state.outcome === "pending"}
            hasFailed={failure !== null}
            isStale={!isNew}
            onTake={(suggested) => {
              setNumber(suggested);
              lookUp.ask({ number: suggested, condition });
            }}
          />
        </div>
      </div>
    </section>
  );
}
