/** How many days a report may show. */
export const PERIODS = [7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

const DEFAULT_PERIOD: Period = 30;

/** Which verifications a report counts: of the dashboard's mode, or of both together. */
export type Scope = "mode" | "both";

/** What the address of the page says: `?days=7&mode=both`. Anything else stands for the default. */
export function readChoice(query: URLSearchParams): { readonly days: Period; readonly scope: Scope } {
  const days = PERIODS.find((period) => String(period) === query.get("days")) ?? DEFAULT_PERIOD;
  return { days, scope: query.get("mode") === "both" ? "both" : "mode" };
}

/** The same address with another choice. The default period is written too, so that a link keeps its meaning. */
export function writeChoice(query: URLSearchParams, choice: { days?: Period; scope?: Scope }): URLSearchParams {
  const next = new URLSearchParams(query);
  if (choice.days !== undefined) next.set("days", String(choice.days));
  if (choice.scope === "both") next.set("mode", "both");
  if (choice.scope === "mode") next.delete("mode");
  return next;
}
