import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { formatCount } from "../../../../contract/format.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { MODES } from "../../../components/dashboard/mode-switch.tsx";
import { Select } from "../../../components/ui/input.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { chooseMode, useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";

/** The available periods, in days: weeks, which have the same days as those before. */
export const PERIODS = [7, 28, 91] as const;
type Period = (typeof PERIODS)[number];

const DEFAULT_PERIOD: Period = 28;
export const LONGEST: Period = 91;

/** After "last" or "previous": "4 weeks", "week". */
export function weeksText(days: number): string {
  return days === 7 ? "week" : formatCount(days / 7, "week");
}

/** Parses the page's address: `?days=7&mode=both&key=key_1`. Anything else is the default. */
export function readChoice(query: URLSearchParams): Choice {
  const days = PERIODS.find((period) => String(period) === query.get("days")) ?? DEFAULT_PERIOD;
  const key = query.get("key") ?? "";
  return { days, scope: query.get("mode") === "both" ? "both" : "mode", ...(/^\w{1,40}$/.test(key) && { key }) };
}

interface Choice {
  readonly days: Period;
  /** Which verifications are counted: the dashboard's mode, or both together. */
  readonly scope: "mode" | "both";
  /** The id of the only key to count. */
  readonly key?: string;
}

interface Change {
  readonly days?: Period;
  readonly scope?: KeyMode | "both";
  /** Empty for all. */
  readonly key?: string;
}

/** The same address with other options. The default period is included too, so that a link keeps its meaning. */
export function writeChoice(query: URLSearchParams, { days, scope, key }: Change): URLSearchParams {
  const next = new URLSearchParams(query);
  if (days !== undefined) next.set("days", String(days));
  if (scope === "both") next.set("mode", "both");
  else if (scope !== undefined) next.delete("mode");
  // A key has one mode.
  if (key === "" || scope !== undefined) next.delete("key");
  else if (key !== undefined) next.set("key", key);
  return next;
}

export interface ReportChoice {
  readonly choice: Choice;
  /** Undefined for both. */
  readonly mode: KeyMode | undefined;
  readonly choose: (change: Change) => void;
}

/**
 * Period and "both" are in the address, so that reloading, going back, and links work; test or live is the dashboard's
 * mode.
 */
export function useReportChoice(): ReportChoice {
  const [query, setQuery] = useSearchParams();
  const dashboardMode = useMode();
  const choice = readChoice(query);

  function choose(change: Change): void {
    if (change.scope === "test" || change.scope === "live") chooseMode(change.scope);
    const next = writeChoice(query, change);
    // An option that is not in the address adds no history entry.
    if (next.toString() !== query.toString()) setQuery(next, { preventScrollReset: true });
  }

  return { choice, mode: choice.scope === "both" ? undefined : dashboardMode, choose };
}

const PERIOD_OPTIONS = PERIODS.map((days) => ({
  value: String(days),
  label: formatCount(days / 7, "week"),
  short: `${days / 7}w`,
}));
const SCOPE_OPTIONS = [...MODES, { value: "both", label: "Both" }] as const;

/** Both on one line, which is all theirs on a narrow page. */
const BESIDE = "max-md:flex-1 max-sm:[&_label]:px-1.5";

/** How many days, and which verifications: of test keys, live keys, or both. */
export function ReportControls({ choice, mode, choose }: ReportChoice) {
  const { data: listed } = useQuery(queries.keys);
  const keys = listed?.keys.filter((key) => mode === undefined || key.mode === mode) ?? [];
  const isListed = choice.key === undefined || keys.some(({ id }) => id === choice.key);
  const only = keys.find(({ id }) => id === choice.key)?.name ?? choice.key;
  return (
    <>
      {/* On paper, what is chosen. */}
      <p className="mb-6 hidden text-soft print:block">
        {MODES.find(({ value }) => value === mode)?.label ?? "Test and live"} verifications
        {only !== undefined && ` of the key “${only}”`}
      </p>
      <div className="mb-6 flex flex-wrap items-center gap-3 sm:mb-8 print:hidden">
        <Segmented
          label="Period"
          className={BESIDE}
          options={PERIOD_OPTIONS}
          value={String(choice.days)}
          onChange={(value) => choose({ days: PERIODS.find((period) => String(period) === value)! })}
        />
        <Segmented
          label="Mode"
          className={BESIDE}
          options={SCOPE_OPTIONS}
          value={mode ?? "both"}
          onChange={(scope) => choose({ scope })}
        />
        <Select
          hideLabel
          label="Key"
          className="min-w-0 flex-1 basis-40 md:ml-auto md:max-w-64 max-md:basis-full"
          value={choice.key ?? ""}
          onChange={(event) => choose({ key: event.target.value })}
        >
          <option value="">All keys</option>
          {!isListed && <option value={choice.key}>{choice.key}</option>}
          {keys.map(({ id, name, hint }) => (
            <option key={id} value={id}>{`${name} (…${hint})`}</option>
          ))}
        </Select>
      </div>
    </>
  );
}
