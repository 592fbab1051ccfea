import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { SiteLink } from "../../../components/ui/link.tsx";
import { levelOf } from "../../../lib/figures.ts";
import type { Level } from "../../../lib/figures.ts";
import { formatCount } from "../../../lib/format-count.ts";
import { queries } from "../../../lib/queries.ts";

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
  const { limit, used, remaining } = subscription.quota;
  if (limit === null || remaining === null) return null;
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
      <span aria-hidden="true" className="h-1.5 w-14 shrink-0 overflow-hidden rounded-full bg-line max-sm:flex-1">
        <MeterFill level={level} share={used / limit} />
      </span>
      <span>
        <span className="sr-only">Quota: </span>
        {level === "fine" && `${formatCount(used)} of ${formatCount(limit, "verification")}`}
        {level === "low" && `${formatCount(remaining, "verification")} left`}
        {level === "empty" && (
          <>
            {formatCount(used)} of {formatCount(limit)} used
            <span className="max-xl:sr-only">: live calls fail</span>
          </>
        )}
      </span>
    </SiteLink>
  );
}
