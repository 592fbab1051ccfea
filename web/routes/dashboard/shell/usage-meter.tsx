import { useQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { SiteLink } from "../../../components/ui/link.tsx";
import { formatCount } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";

/** From this share on what is left is a warning. */
const LOW = 0.2;

/** How much of the quota is left, on every page: amber from a fifth on, red at nothing. Leads to the subscription. */
export function UsageMeter({ className }: { className?: string | undefined }) {
  const { data: subscription } = useQuery(queries.subscription);
  if (subscription?.status !== "active") return null;
  const { limit, used, remaining } = subscription.quota;
  const isLimited = limit !== null && remaining !== null;
  const level = !isLimited ? "free" : remaining === 0 ? "empty" : remaining <= LOW * limit ? "low" : "fine";
  return (
    <SiteLink
      to="/dashboard/settings/subscription"
      data-level={level}
      className={clsx(
        "flex items-center gap-2.5 text-sm whitespace-nowrap hover:underline",
        level === "empty" ? "text-invalid" : level === "low" ? "text-possible" : "text-muted",
        className,
      )}
    >
      {isLimited && (
        <span aria-hidden="true" className="h-1.5 w-14 shrink-0 overflow-hidden rounded-full bg-line max-sm:flex-1">
          <span
            className={clsx(
              "block h-full rounded-full",
              level === "empty" ? "bg-invalid" : level === "low" ? "bg-possible" : "bg-ink",
            )}
            // Full in red where nothing is left: an empty bar would look like no bar.
            style={{ width: `${level === "empty" ? 100 : (100 * remaining) / limit}%` }}
          />
        </span>
      )}
      <span>
        <span className="sr-only">Quota: </span>
        {isLimited ? (
          <>
            <span className="font-mono">{formatCount(remaining)}</span> of{" "}
            <span className="font-mono">{formatCount(limit)}</span> left
            {level === "empty" && <span className="max-sm:sr-only">: live calls return 402</span>}
          </>
        ) : (
          <>
            <span className="font-mono">{formatCount(used)}</span> used, no limit
          </>
        )}
      </span>
    </SiteLink>
  );
}
