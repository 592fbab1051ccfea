import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import type { Subscription } from "../../../../contract/subscriptions.ts";
import { SiteLink } from "../../../components/ui/link.tsx";
import { formatCount } from "../../../lib/format-count.ts";
import { queries } from "../../../lib/queries.ts";

/** The share of the quota below which the meter warns. */
const LOW = 0.2;

export type Level = "free" | "fine" | "low" | "empty";

/** How much is left of a quota; "free" without a limit. */
export function levelOf({ limit, remaining }: Subscription["quota"]): Level {
  if (limit === null || remaining === null) return "free";
  if (remaining === 0) return "empty";
  return remaining <= LOW * limit ? "low" : "fine";
}

/** The filled part of a meter's bar. */
export function MeterFill({ level, share }: { level: Level; share: number }) {
  return (
    <span
      className={clsx(
        "block h-full rounded-full forced-colors:bg-[CanvasText]",
        level === "empty" ? "bg-invalid" : level === "low" ? "bg-possible" : "bg-ink",
      )}
      style={{ width: `${100 * Math.min(1, share)}%` }}
    />
  );
}

/** How much of the quota is used, on every page: amber from four fifths, red at the end. Links to the subscription. */
export function UsageMeter({ className }: { className?: string | undefined }) {
  const { data: subscription } = useQuery(queries.subscription);
  if (subscription?.status !== "active") return null;
  const { limit, used } = subscription.quota;
  const level = levelOf(subscription.quota);
  return (
    <SiteLink
      to="/dashboard/settings/subscription"
      data-level={level}
      className={clsx(
        "flex items-center gap-2.5 text-sm whitespace-nowrap tabular-nums hover:underline",
        level === "empty" ? "text-invalid" : level === "low" ? "text-possible" : "text-muted",
        className,
      )}
    >
      {limit !== null && (
        <span aria-hidden="true" className="h-1.5 w-14 shrink-0 overflow-hidden rounded-full bg-line max-sm:flex-1">
          <MeterFill level={level} share={used / limit} />
        </span>
      )}
      <span>
        <span className="sr-only">Quota: </span>
        {formatCount(used)}
        {limit !== null && ` of ${formatCount(limit)}`} used
        {level === "empty" && <span className="max-xl:sr-only">: live calls return 402</span>}
      </span>
    </SiteLink>
  );
}
