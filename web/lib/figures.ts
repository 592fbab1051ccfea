import type { UsageSummary } from "../../contract/reports.ts";

const SIGNED = new Intl.NumberFormat("en-US", {
  signDisplay: "exceptZero",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** "+20.1% MoM": the last 30 days against the 30 before. */
export function formatMonthOverMonth(percent: number): string {
  return `${SIGNED.format(percent)}% MoM`;
}

/** The share of successes in tenths of a per cent: 1000 for all of them and 0 for none, and never for less or more than that. */
function successTenths(successful: number, total: number): number {
  if (successful === 0 || successful === total) return successful === 0 ? 0 : 1000;
  return Math.min(999, Math.max(1, Math.round((1000 * successful) / total)));
}

function inPercent(tenths: number): string {
  return `${(tenths / 10).toFixed(1)}%`;
}

/** The share of successes in per cent with one decimal; a dash where nothing was verified. */
export function formatRate({ total, successful }: { readonly total: number; readonly successful: number }): string {
  return total === 0 ? "–" : inPercent(successTenths(successful, total));
}

/** Success and failure in per cent with one decimal, which add up to 100; null before anything was verified. */
export function ratesOf(
  summary: Pick<UsageSummary, "total_verifications" | "successful_verifications">,
): { readonly success: string; readonly failure: string } | null {
  const { total_verifications: total, successful_verifications: successful } = summary;
  if (total === 0) return null;
  const tenths = successTenths(successful, total);
  return { success: inPercent(tenths), failure: inPercent(1000 - tenths) };
}
