import { useId, useState } from "react";
import { SectionHeading } from "../section-heading.tsx";
import { NumberField } from "./number-field.tsx";
import { RealPanel } from "./real-panel.tsx";
import { SimulationPanel } from "./simulation-panel.tsx";
import { useLookUp } from "./use-look-up.ts";
import { useSimulation } from "./use-simulation.ts";

/** The interactive demo: a simulation while one types, and the engine's own answer at the press of a button. */
export function DemoSection() {
  const [number, setNumber] = useState("");
  const simulation = useSimulation(number);
  const lookUp = useLookUp();
  const verdictId = useId();

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
            <SimulationPanel {...simulation} verdictId={verdictId} />
            <RealPanel number={number} lookUp={lookUp} />
          </div>
        </div>
      </div>
    </section>
  );
}
