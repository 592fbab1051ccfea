import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { SiteLink } from "../../../components/ui/link.tsx";
import { daysLeft, levelOf } from "../../../lib/figures.ts";
import type { Level } from "../../../lib/figures.ts";
import { formatCount } from "../../../../contract/format.ts";
import { queries } from "../../../lib/queries.ts";
import { useMinute } from "../../../lib/use-minute.ts";

const LOOKS: Record<Level, { readonly fill: string; readonly text: string }> = {
  free: { fill: "bg-ink", text: "text-muted" },
  fine: { fill: "bg-ink", text: "text-muted" },
  low: { fill: "bg-possible", text: "text-possible" },
  critical: { fill: "bg-invalid", text: "text-invalid" },
  empty: { fill: "bg-invalid", text: "text-invalid" },
};

interface MeterBarProps {
  level?: Level;
  /** What is filled, from 0. Short of 1, a gap is left. */
  share: number;
  /** Its height, width, and margins. */
  className: string;
}

/** A bar that is filled in part. The text beside it says the same. */
export function MeterBar({ level = "fine", share, className }: MeterBarProps) {
  return (
    <span
      aria-hidden="true"
      className={clsx("block shrink-0 overflow-hidden rounded-full bg-edge/40 forced-colors:outline", className)}
    >
      <span
        className={clsx(
          "block h-full rounded-full forced-colors:bg-[CanvasText]",
          share > 0 && "min-w-1",
          LOOKS[level].fill,
        )}
        style={{ width: share < 1 ? `min(${100 * share}%, 100% - 0.375rem)` : "100%" }}
      />
    </span>
  );
}

interface UsageMeterProps {
  /** The page shows test keys, which never use the quota. */
  readonly isTest: boolean;
  readonly className?: string | undefined;
}

/**
 * How much of the quota is used, and how long it lasts: amber from 80 percent, red from 95. Where that means nothing,
 * only the days. Links to the subscription.
 */
export function UsageMeter({ isTest, className }: UsageMeterProps) {
  const { data: subscription } = useQuery(queries.subscription);
  const now = useMinute();
  if (subscription?.status !== "active") return null;
  const { limit, used, remaining } = subscription.quota;
  if (limit === null || remaining === null) return null;
  const level = levelOf(subscription.quota);
  const days = subscription.expires_at === null ? null : daysLeft(subscription.expires_at, now);
  const isQuotaShown = !isTest || level !== "fine";
  if (!isQuotaShown && days === null) return null;
  return (
    <SiteLink
      to="/dashboard/settings/subscription"
      data-level={level}
      className={clsx(
        "flex min-h-6 items-center gap-2.5 text-sm pointer-coarse:min-h-11 whitespace-nowrap tabular-nums hover:underline",
        LOOKS[level].text,
        className,
      )}
    >
      {isQuotaShown && (
        <MeterBar
          level={level}
          share={used / limit}
          className="h-1.5 w-14 @max-[40rem]:flex-1 @[40rem]:@max-3xl:hidden @5xl:w-24"
        />
      )}
      <span>
        {isQuotaShown ? <span className="sr-only">Quota: </span> : "Trial: "}
        {isQuotaShown && level === "fine" && `${formatCount(used)} of ${formatCount(limit, "verification")}`}
        {(level === "low" || level === "critical") && `${formatCount(remaining, "verification")} left`}
        {level === "empty" && (
          <>
            {formatCount(used)} of {formatCount(limit)} used
            <span className="@max-[76rem]:sr-only">: live calls fail</span>
          </>
        )}
        {days !== null && (
          <span className={clsx(isQuotaShown && "@max-[76rem]:hidden")}>
            {isQuotaShown && <span aria-hidden="true"> · </span>}
            {days}
          </span>
        )}
      </span>
    </SiteLink>
  );
}
