import { clsx } from "clsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { LINE_TYPE_NAMES } from "../../../components/anatomy/anatomy-of.ts";
import type { SimulatedPass, Simulation } from "./simulate.ts";

interface Props {
  readonly verdict: Simulation;
  readonly checking: boolean;
  readonly verdictId: string;
}

/** What the browser alone makes of the number. Never the truth about it, and it says so. */
export function SimulationPanel({ verdict, checking, verdictId }: Props) {
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
        <Row name="Carrier" value={verdict.valid ? verdict.carrier : null} />
        <Row name="Line type" value={verdict.valid ? lineTypeOf(verdict) : null} />
      </dl>
      <p className="mt-5 text-sm text-muted">
        The simulation knows four calling codes and takes any other for the United States. The engine does not.
      </p>
    </div>
  );
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
