import { useQuery } from "@tanstack/react-query";
import { PLAN_IDS, PLANS, planTerms } from "../../../../contract/plans.ts";
import type { Plan } from "../../../../contract/plans.ts";
import type { Subscription, SubscriptionStatus } from "../../../../contract/subscriptions.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import {
  QuotaNotice,
  SubscriptionWarning,
  UpgradeButton,
} from "../../../components/dashboard/subscription-warning.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import type { BadgeTone } from "../../../components/ui/badge.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { formatDate } from "../../../lib/format.ts";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { queries } from "../../../lib/queries.ts";
import { daysLeft, levelOf } from "../../../lib/figures.ts";
import { MeterBar } from "../shell/usage-meter.tsx";
import { SettingsCard, SettingsFrame, Term, TermList } from "./settings-frame.tsx";

/** `expiry` names its date. */
const STATUSES: Record<SubscriptionStatus, { label: string; tone: BadgeTone; expiry: string }> = {
  active: { label: "Active", tone: "neutral", expiry: "Expires" },
  expired: { label: "Expired", tone: "invalid", expiry: "Expired" },
  // Early: it never reached the date.
  ended: { label: "Ended", tone: "invalid", expiry: "Was to expire" },
  none: { label: "None", tone: "neutral", expiry: "Expires" },
};

export const meta = () =>
  accountPageMeta(
    "Subscription",
    "/dashboard/settings/subscription",
    "Your Checkline plan, expiration date, and quota.",
  );

/** How much of the quota is used, in words and as a bar; without a quota, the verifications so far. */
function Usage({ subscription: { quota, started_at: start } }: { subscription: Subscription }) {
  const { limit, used } = quota;
  if (limit === null) {
    return (
      <>
        {formatCount(used, "successful live verification")}
        {start !== null && ` since ${formatDate(start)}`}
      </>
    );
  }
  const text = `${formatCount(used)} of ${formatCount(limit)} successful live verifications used`;
  return (
    <>
      <p>{text}</p>
      <meter className="sr-only" aria-label="Usage" aria-valuetext={text} min={0} max={limit} value={used} />
      <MeterBar level={levelOf(quota)} share={used / limit} className="mt-2 mb-1.5 h-1.5" />
    </>
  );
}

interface TermsProps {
  readonly subscription: Subscription;
  /** In milliseconds since the Unix epoch. */
  readonly readAt: number;
}

function Terms({ subscription, readAt }: TermsProps) {
  const { status, plan, expires_at: end } = subscription;
  const { label, tone, expiry } = STATUSES[status];
  return (
    <TermList>
      <Term name="Status">
        <Badge tone={tone}>{label}</Badge>
      </Term>
      {plan !== null && <Term name="Plan">{planTerms(plan)?.name ?? plan}</Term>}
      {end !== null && (
        <Term name={expiry}>
          <time dateTime={end}>{formatDate(end)}</time>
          {status === "active" && <span className="text-muted"> · {daysLeft(end, readAt)}</span>}
        </Term>
      )}
      {status === "active" && (
        <Term name="Usage">
          <Usage subscription={subscription} />
        </Term>
      )}
    </TermList>
  );
}

const PLAN_ROWS: readonly (readonly [name: string, value: (plan: (typeof PLANS)[Plan]) => string])[] = [
  ["Price", (plan) => (plan === PLANS.trial ? "Free" : "To be announced")],
  ["Length", ({ days }) => (days === null ? "No end date" : formatCount(days, "day"))],
  ["Live verifications", ({ quota }) => (quota === null ? "No monthly cap" : formatCount(quota))],
  ["Requests per minute", ({ requestsPerMinute }) => formatCount(requestsPerMinute)],
  ["Numbers per minute", ({ numbersPerMinute }) => formatCount(numbersPerMinute)],
];

/** The plans side by side. */
function Plans({ current }: { current: Plan | null }) {
  return (
    <Table
      caption="Plans compared"
      hideCaption
      className="rounded-lg border border-line bg-surface max-sm:[&_:is(td,th)]:px-2 max-sm:[&_:is(td,th)]:text-sm max-sm:[&_td]:whitespace-nowrap"
    >
      <thead>
        <tr>
          <Th>
            <span className="sr-only">Limit</span>
          </Th>
          {PLAN_IDS.map((plan) => (
            <Th key={plan} className={plan === current ? "text-ink!" : undefined}>
              {PLANS[plan].name}
              {plan === current && (
                <Badge className="ml-2 max-sm:mt-1 max-sm:ml-0 max-sm:flex max-sm:w-fit">Yours</Badge>
              )}
            </Th>
          ))}
        </tr>
      </thead>
      <tbody>
        {/* Who pays knows the price. */}
        {PLAN_ROWS.slice(current === null || current === "trial" ? 0 : 1).map(([name, value]) => (
          <tr key={name}>
            <Th scope="row" className="font-normal! text-muted!">
              {name}
            </Th>
            {PLAN_IDS.map((plan) => (
              <Td key={plan} className={plan === current ? "text-ink!" : undefined}>
                {value(PLANS[plan])}
              </Td>
            ))}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

export default function SubscriptionSettings() {
  const subscription = useQuery(queries.subscription);
  const active = subscription.data?.status === "active" ? subscription.data : null;
  return (
    <SettingsFrame>
      <SettingsCard title="Subscription" description="The plan for your live keys. Test keys are always free.">
        <SubscriptionWarning className="mb-5" />
        <QuotaNotice className="mb-5" />
        <QueryState query={subscription} what="your subscription" rows={4}>
          {(data) =>
            // Without one, the warning says all.
            data.status !== "none" && <Terms subscription={data} readAt={subscription.dataUpdatedAt} />
          }
        </QueryState>
      </SettingsCard>
      <SettingsCard title="Plans" description="Only successful verifications count. Invalid numbers are free.">
        <Plans current={active?.plan ?? null} />
        {/* Otherwise a notice above offers more. */}
        {active?.plan === "trial" && levelOf(active.quota) === "fine" && (
          <div className="mt-5">
            <UpgradeButton />
          </div>
        )}
      </SettingsCard>
    </SettingsFrame>
  );
}
