import { clsx } from "clsx";
import { useEffect, useId, useState } from "react";
import type { VerificationResult } from "../../../../contract/verification.ts";
import { LINE_TYPE_NAMES } from "../../../components/anatomy/anatomy-of.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { SectionHeading } from "../section-heading.tsx";
import { useLookUp } from "./look-up.ts";
import { RealPanel } from "./real-panel.tsx";
import { RECHECK_MS, simulate } from "./simulate.ts";
import type { SimulatedPass, Simulation } from "./simulate.ts";

interface SimulationPanelProps {
  readonly verdict: Simulation;
  readonly checking: boolean;
  readonly verdictId: string;
  /** What the engine says about the same number, once it was asked. */
  readonly truth: VerificationResult | null;
}

/** What the browser alone makes of the number. Never the truth about it, and it says so. */
function SimulationPanel({ verdict, checking, verdictId, truth }: SimulationPanelProps) {
  return (
    <div className="flex flex-col p-5 md:p-8">
      <h3 className="flex min-h-9 items-center justify-between gap-3">
        Simulated
        {checking ? (
          <Badge>Checking</Badge>
        ) : verdict.valid ? (
          <Badge tone="possible">Looks valid</Badge>
        ) : verdict.reason === "empty" ? (
          <Badge>Waiting</Badge>
        ) : (
          <Badge tone="invalid">Not valid</Badge>
        )}
      </h3>
      <p id={verdictId} aria-live="polite" className={clsx("mt-5 min-h-12 text-soft", checking && "opacity-60")}>
        {verdict.valid ? "The form is right. The rest is made up:" : verdict.message}
      </p>
      <dl
        className={clsx("divide-y divide-line border-y border-line transition-opacity", checking && "opacity-60")}
        aria-hidden={!verdict.valid}
      >
        <Row name="Country" value={verdict.valid ? `${verdict.country.name} (${verdict.country.prefix})` : null} />
        <Row name="Carrier" value={verdict.valid ? carrierBeside(verdict, truth) : null} />
        <Row name="Line type" value={verdict.valid ? lineTypeOf(verdict) : null} />
      </dl>
      <p className="mt-5 text-sm text-muted">
        The simulation knows four calling codes and takes any other for the United States. The engine does not.
      </p>
    </div>
  );
}

/** An invented carrier is not named beside the true one, nor beside none. */
function carrierBeside({ carrier }: SimulatedPass, truth: VerificationResult | null): string {
  return truth === null || truth.carrier === carrier ? carrier : "Left to the engine";
}

function lineTypeOf({ line_type }: SimulatedPass): string {
  return line_type === null ? "Not told" : LINE_TYPE_NAMES[line_type];
}

function Row({ name, value }: { name: string; value: string | null }) {
  return (
    <div className="flex min-h-11 items-center justify-between gap-4">
      <dt className="text-muted">{name}</dt>
      <dd className="text-right">{value ?? <span className="block h-px w-8 bg-edge" />}</dd>
    </div>
  );
}

/** The simulation's verdict on an input, made anew once typing has paused; `checking` until then. */
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
  readonly onSubmit: () => void;
  /** The id of the text that says what the simulation makes of the number. */
  readonly describedBy: string;
  readonly invalid: boolean;
}

/** One number, set large, and some to begin with. */
function NumberField({ value, onChange, onSubmit, describedBy, invalid }: NumberFieldProps) {
  const id = useId();
  return (
    <form
      className="p-5 md:p-8"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label htmlFor={id} className="label">
        Phone number
      </label>
      <input
        id={id}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        spellCheck={false}
        maxLength={40}
        placeholder="+55 11 98765 4321"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        aria-describedby={describedBy}
        aria-invalid={invalid}
        className="mt-1 -ml-1 block w-full rounded-sm bg-transparent px-1 py-2 font-mono text-[clamp(1.5rem,0.6rem+4vw,3.75rem)] leading-tight tracking-[-0.02em] placeholder:text-edge focus-visible:outline-offset-0"
      />
      <ul className="mt-4 flex flex-wrap gap-2" aria-label="Example numbers">
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
    </form>
  );
}

/** The interactive demo: a simulation while one types, and the engine's result at the press of a button. */
export function DemoSection() {
  const [number, setNumber] = useState("");
  const simulation = useSimulation(number);
  const lookUp = useLookUp();
  const verdictId = useId();
  const { answer } = lookUp;
  const truth = answer !== null && answer.asked.trim() === number.trim() ? answer.result : null;

  return (
    <section id="demo" aria-labelledby="demo-title" className="border-t border-line">
      <div className="page-width py-20 md:py-28">
        <SectionHeading id="demo-title" title="Try a number">
          First a simulation in your browser, as you type. Then, if you like, the engine behind the API. Neither keeps
          what you enter.
        </SectionHeading>
        <noscript>
          <style>{"[data-needs-script]{display:none}"}</style>
          <p className="mt-10 rounded-md border border-edge p-5">
            The demo needs JavaScript. The samples above do the same from a terminal.
          </p>
        </noscript>
        <div className="mt-12 rounded-lg border border-line bg-surface" data-needs-script>
          <NumberField
            value={number}
            onChange={setNumber}
            onSubmit={() => lookUp.ask(number)}
            describedBy={verdictId}
            invalid={!simulation.checking && !simulation.verdict.valid && simulation.verdict.reason !== "empty"}
          />
          <div className="grid grid-cols-1 border-t border-line lg:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
            <SimulationPanel {...simulation} verdictId={verdictId} truth={truth} />
            <RealPanel
              number={number}
              lookUp={lookUp}
              onTake={(suggested) => {
                setNumber(suggested);
                lookUp.ask(suggested);
              }}
            />
          </div>
        </div>
      </div>
    </section>
  );
}
