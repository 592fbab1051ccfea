import { useQuery } from "@tanstack/react-query";
import type { Plan } from "../../../../contract/limits.ts";
import type { Subscription, SubscriptionStatus } from "../../../../contract/subscriptions.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import {
  QuotaNotice,
  SubscriptionWarning,
  UpgradeButton,
} from "../../../components/dashboard/subscription-warning.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import type { BadgeTone } from "../../../components/ui/badge.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { DAY_MS, formatCount, formatDate } from "../../../lib/format.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { levelOf, MeterFill } from "../shell/usage-meter.tsx";
import type { Level } from "../shell/usage-meter.tsx";
import { SettingsCard, SettingsFrame, Term, TermList } from "./settings-frame.tsx";

interface MeterProps {
  /** What is measured: "Days left". */
  label: string;
  value: number;
  max: number;
  /** The same in words: "12 of 14 days left". */
  text: string;
  level?: Level;
}

/** How much is left of something, in words and as a bar. */
function Meter({ label, value, max, text, level = "fine" }: MeterProps) {
  return (
    <div>
      <p>{text}</p>
      <meter className="sr-only" aria-label={label} aria-valuetext={text} min={0} max={max} value={value} />
      <div aria-hidden="true" className="mt-2 mb-1.5 h-1.5 rounded-full bg-line">
        <MeterFill level={level} share={value / max} />
      </div>
    </div>
  );
}

const STATUSES: Record<SubscriptionStatus, { label: string; tone: BadgeTone }> = {
  active: { label: "Active", tone: "neutral" },
  expired: { label: "Expired", tone: "possible" },
  ended: { label: "Ended", tone: "possible" },
  none: { label: "None", tone: "neutral" },
};

/** Ended early, it never reached the date. */
const EXPIRY: Record<SubscriptionStatus, string> = {
  active: "Expires",
  expired: "Expired",
  ended: "Was to expire",
  none: "Expires",
};

const PLAN_NAMES: Record<Plan, string> = { trial: "Free trial", pro: "Pro" };
const TERMS = ["Status", "Plan", "Expires", "Days left", "Quota left"];

export const meta = () =>
  accountPageMeta(
    "Subscription",
    "/dashboard/settings/subscription",
    "Your Checkline plan, expiration date, and quota.",
  );

function daysBetween(from: number, to: number): number {
  return Math.max(0, Math.ceil((to - from) / DAY_MS));
}

/** `readAt` in milliseconds since the Unix epoch. */
interface Read {
  readonly subscription: Subscription;
  readonly readAt: number;
}

function DaysLeft({ subscription: { started_at: start, expires_at: end }, readAt }: Read) {
  if (end === null) return "No end date";
  const left = daysBetween(readAt, Date.parse(end));
  const all = Math.max(left, daysBetween(start === null ? readAt : Date.parse(start), Date.parse(end)), 1);
  return <Meter label="Days left" value={left} max={all} text={`${left} of ${all} ${all === 1 ? "day" : "days"}`} />;
}

function QuotaLeft({ subscription: { quota } }: Pick<Read, "subscription">) {
  const { limit, remaining } = quota;
  if (limit === null || remaining === null) return "No limit";
  const text = `${formatCount(remaining)} of ${formatCount(limit)} successful live verifications`;
  return <Meter label="Quota left" value={remaining} max={limit} text={text} level={levelOf(quota)} />;
}

function Terms({ subscription, readAt }: Read) {
  const { status, plan, expires_at: end } = subscription;
  const { label, tone } = STATUSES[status];
  return (
    <TermList>
      <Term name="Status">
        <Badge tone={tone}>{label}</Badge>
      </Term>
      <Term name="Plan">{plan === null ? "None" : PLAN_NAMES[plan]}</Term>
      {end !== null && (
        <Term name={EXPIRY[status]}>
          <time dateTime={end}>{formatDate(end)}</time>
        </Term>
      )}
      {status === "active" && (
        <>
          <Term name="Days left">
            <DaysLeft subscription={subscription} readAt={readAt} />
          </Term>
          <Term name="Quota left">
            <QuotaLeft subscription={subscription} />
          </Term>
        </>
      )}
    </TermList>
  );
}

function Placeholder() {
  return (
    <TermList>
      {TERMS.map((name) => (
        <Term key={name} name={name}>
          <Skeleton className="my-1 w-28" />
        </Term>
      ))}
    </TermList>
  );
}

export default function SubscriptionSettings() {
  const subscription = useQuery(queries.subscription);
  return (
    <SettingsFrame>
      <SettingsCard title="Subscription" description="The plan for your live keys. Test keys are always free.">
        <SubscriptionWarning className="mb-5" />
        <QuotaNotice className="mb-5" />
        <QueryState query={subscription} what="your subscription" skeleton={<Placeholder />}>
          {(data) => (
            <>
              <Terms subscription={data} readAt={subscription.dataUpdatedAt} />
              {data.status === "active" && data.plan !== "pro" && data.quota.remaining !== 0 && (
                <div className="mt-5">
                  <UpgradeButton />
                </div>
              )}
            </>
          )}
        </QueryState>
      </SettingsCard>
    </SettingsFrame>
  );
}
