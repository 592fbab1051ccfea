import { clsx } from "clsx";
import { useEffect, useId, useState } from "react";
import type { ReactNode } from "react";
import { LINE_TYPE_NAMES } from "../../../components/anatomy/anatomy-of.ts";
import { ConditionChoice } from "../../../components/forms/condition-choice.tsx";
import type { Condition } from "../../../lib/acceptance.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { REGION_COUNT } from "../../../content/coverage.ts";
import { SectionHeading } from "../section-heading.tsx";
import { useLookUp } from "./lookup.ts";
import { RealPanel, VerifyButton } from "./real-panel.tsx";
import { MIN_DIGITS, RECHECK_MS, simulate } from "./simulate.ts";
import type { SimulatedPass, Simulation } from "./simulate.ts";

interface SimulationPanelProps {
  readonly verdict: Simulation;
  readonly checking: boolean;
  readonly verdictId: string;
  /** Whether the number is too short because it is still being typed. */
  readonly typing: boolean;
}

/** A quiet preview of the format, made in the browser. It never claims to be the result. */
function SimulationPanel({ verdict, checking, verdictId, typing }: SimulationPanelProps) {
  const sample = verdict.valid ? verdict : null;
  return (
    <div className="border-line p-5 max-lg:order-last max-lg:border-t md:p-8 lg:border-r">
      <h3 className="flex min-h-6 items-center justify-between gap-3">
        Preview
        {checking ? (
          <Badge>Checking</Badge>
        ) : typing ? (
          <Badge>Keep typing</Badge>
        ) : verdict.valid ? (
          <Badge tone="possible">Looks valid</Badge>
        ) : verdict.reason === "empty" ? (
          <Badge>Waiting</Badge>
        ) : (
          <Badge tone="invalid">Invalid</Badge>
        )}
      </h3>
      {/* Two lines of it fit. */}
      <p
        id={verdictId}
        aria-live="polite"
        className={clsx("mt-6 min-h-15 pb-3 text-balance text-soft", checking && "opacity-60")}
      >
        {verdict.valid ? "Format looks right. Sample data:" : verdict.message}
      </p>
      <dl
        className={clsx(
          "divide-y divide-line border-y border-line text-sm text-muted transition-opacity",
          checking && "opacity-60",
        )}
        aria-hidden={sample === null}
      >
        <Row name="Country" value={sample && `${sample.country.name} (${sample.country.prefix})`} />
        <Row name="Carrier" value={sample && sample.carrier} />
        <Row name="Line type" value={sample && lineTypeOf(sample)} />
      </dl>
      <p className="mt-5 text-sm text-muted">The preview covers four countries. The API covers {REGION_COUNT}.</p>
    </div>
  );
}

function lineTypeOf({ line_type }: SimulatedPass): string {
  return line_type === null ? "Unknown" : LINE_TYPE_NAMES[line_type];
}

function Row({ name, value }: { name: string; value: string | null }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right">{value ?? <span className="block h-px w-8 bg-edge" />}</dd>
    </div>
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

const EXAMPLES = [
  { number: "+55 11 98765 4321", name: "Brazil" },
  { number: "+1 202 555 0123", name: "United States" },
  { number: "+44 20 7946 0018", name: "United Kingdom" },
  { number: "+351 912 345 678", name: "Portugal" },
  { number: "+44 7700 900123", name: "Reserved for fiction" },
  { number: "+1 202 555 0000", name: "Too many zeros" },
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
  /** The id of the preview's text, while there is one. */
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

/** One number in large type, and some to start with. */
function NumberField(props: NumberFieldProps) {
  const { value, onChange, condition, onCondition, onSubmit, onFocus, button, describedBy, invalid } = props;
  const id = useId();
  return (
    <form
      className="p-5 md:p-8"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label htmlFor={id} className="text-sm font-medium text-ink">
        Phone number
      </label>
      <div className="mt-1 flex flex-wrap items-center gap-x-6 gap-y-3">
        <input
          id={id}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
          placeholder="e.g. +55 11 98765 4321"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onFocus={() => onFocus(true)}
          onBlur={() => onFocus(false)}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          className="-mx-3 block min-w-0 flex-1 basis-64 rounded-sm bg-transparent px-3 py-2 font-mono text-[clamp(1.5rem,0.6rem+4vw,3.75rem)] leading-tight tracking-[-0.02em] placeholder:text-[.7em] placeholder:text-edge focus-visible:outline-offset-0"
        />
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
        <ConditionChoice className="w-full sm:w-72" value={condition} onChange={onCondition} />
      </div>
    </form>
  );
}

/** The interactive demo: a preview while typing, and the engine's result after clicking Verify. */
export function DemoSection() {
  const [number, setNumber] = useState("");
  const [condition, setCondition] = useState<Condition>("any");
  const question = { number, condition };
  const simulation = useSimulation(number);
  const lookUp = useLookUp();
  const [focused, setFocused] = useState(false);
  const verdictId = useId();
  const { verdict, checking } = simulation;
  const wrong = !verdict.valid && verdict.reason !== "empty";
  const typing = focused && wrong && number.replaceAll(/\D/g, "").length < MIN_DIGITS;
  const { answer } = lookUp;
  /** Whether the engine's result for this number is here, and the preview has nothing to add. */
  const isKnown = answer !== null && answer.asked.number.trim() === number.trim();

  return (
    <section id="demo" aria-labelledby="demo-title" className="border-t border-line">
      <div className="page-width py-14 md:py-28">
        <SectionHeading id="demo-title" title="Try a number">
          Type a number to check its format. Press Verify to run the same engine as the API. We don’t store what you
          enter.
        </SectionHeading>
        <noscript>
          <style>{"[data-needs-script]{display:none}"}</style>
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
            button={<VerifyButton question={question} state={lookUp.state} />}
            onFocus={setFocused}
            describedBy={isKnown ? undefined : verdictId}
            invalid={wrong && !checking && !typing}
          />
          <div
            className={clsx(
              "grid grid-cols-1 border-t border-line",
              !isKnown && "lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]",
            )}
          >
            {!isKnown && <SimulationPanel {...simulation} verdictId={verdictId} typing={typing} />}
            <RealPanel
              question={question}
              lookUp={lookUp}
              onTake={(suggested) => {
                setNumber(suggested);
                lookUp.ask({ number: suggested, condition });
              }}
            />
          </div>
        </div>
      </div>
    </section>
  );
}
