import { useEffect, useRef } from "react";
import { useSearchParams } from "react-router";
import type { KeyMode } from "../../../../contract/limits.ts";
import { chooseMode, useMode } from "../../../lib/mode.ts";
import { readChoice, writeChoice } from "./period.ts";
import type { Period, Scope } from "./period.ts";

/** What the report's controls show. */
export type ScopeValue = KeyMode | "both";

export interface ReportChoice {
  readonly choice: { readonly days: Period; readonly scope: Scope };
  /** Undefined for both together. */
  readonly mode: KeyMode | undefined;
  readonly choose: (next: { days?: Period; scope?: ScopeValue }) => void;
}

/** Period and "both" stand in the address, so that reloading, going back and links work; test or live is the dashboard's mode. */
export function useReportChoice(): ReportChoice {
  const [query, setQuery] = useSearchParams();
  const dashboardMode = useMode();
  const choice = readChoice(query);

  function choose({ days, scope }: { days?: Period; scope?: ScopeValue }): void {
    if (scope === "test" || scope === "live") chooseMode(scope);
    const next = writeChoice(query, {
      ...(days !== undefined && { days }),
      ...(scope !== undefined && { scope: scope === "both" ? "both" : "mode" }),
    });
    // A choice that is not in the address leaves no step to go back to.
    if (next.toString() !== query.toString()) setQuery(next, { preventScrollReset: true });
  }

  // Whoever changes the mode beside the page wants to see that mode.
  const before = useRef(dashboardMode);
  useEffect(() => {
    if (before.current === dashboardMode) return;
    before.current = dashboardMode;
    if (choice.scope === "both") {
      setQuery((old) => writeChoice(old, { scope: "mode" }), { replace: true, preventScrollReset: true });
    }
  }, [dashboardMode, choice.scope, setQuery]);

  return { choice, mode: choice.scope === "both" ? undefined : dashboardMode, choose };
}
