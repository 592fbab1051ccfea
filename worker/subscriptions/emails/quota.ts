import { formatCount, formatUtcDay } from "../../../contract/format.ts";
import type { Subscription } from "../../../contract/subscriptions.ts";
import type { UsageSource } from "../../ledger/reports.ts";
import { dueQuotaNotice, quotaPurpose } from "../../ledger/limits.ts";
import type { Email, EmailContent } from "../../mail/email.ts";
import { readSubscription } from "../subscription.ts";

/** How much of a quota is used, in successful live verifications. */
interface QuotaFigures {
  readonly used: number;
  readonly limit: number;
  /** When counting began, in milliseconds since the Unix epoch; that whole UTC day counts. */
  readonly since: number;
}

/** What the email at this percentage says; null when it no longer applies, or the other one is due instead. */
export function quotaFigures(subscription: Subscription, percent: 80 | 100): QuotaFigures | null {
  const { status, started_at: startedAt, quota } = subscription;
  if (status !== "active" || startedAt === null || quota.limit === null) return null;
  if (dueQuotaNotice(quota.used, quota.limit) !== percent) return null;
  return { used: quota.used, limit: quota.limit, since: Date.parse(startedAt) };
}

function quotaEmail(
  percent: 80 | 100,
  write: (quota: QuotaFigures) => Pick<EmailContent, "subject" | "preheader" | "heading" | "before">,
): Email<UsageSource, QuotaFigures> {
  return {
    purpose: quotaPurpose(percent),
    part: "notices",
    oncePerBatch: true,
    skipIfSuspended: true,
    load: async (source, _, { id }) => quotaFigures(await readSubscription(source, id), percent),
    write: (quota, origin) => ({
      ...write(quota),
      facts: [
        { label: "Used", value: `${formatCount(quota.used)} of ${formatCount(quota.limit)}` },
        { label: "Remaining", value: formatCount(Math.max(0, quota.limit - quota.used)) },
        { label: "Counted since", value: `${formatUtcDay(quota.since)} (UTC)` },
      ],
      button: { label: "Open the dashboard", href: `${origin}/dashboard` },
      after: [
        "Invalid numbers and test keys don't count.",
        {
          lead: "If this wasn't you,",
          text: "someone else may have one of your live keys. Revoke it in the dashboard and generate a new one.",
        },
      ],
    }),
  };
}

/** The account's ledger sends both. */
export const quotaNearlyUsedEmail = quotaEmail(80, ({ used, limit }) => {
  const use = `${formatCount(used)} of ${formatCount(limit)} successful live verifications`;
  return {
    // Rounded down, so it never exceeds actual usage.
    subject: `${Math.floor((100 * used) / limit)}% of your Checkline quota is used`,
    preheader: `${use}. No action is needed yet.`,
    heading: "Your quota is nearly used",
    before: [
      `You've used ${use} in your plan. Once they run out, live verifications return 402 QUOTA_EXCEEDED. Before that, a batch with more valid numbers than you have left returns 402 QUOTA_TOO_SMALL. Test keys keep working.`,
    ],
  };
});

export const quotaUsedEmail = quotaEmail(100, ({ limit }) => ({
  subject: "Your Checkline quota is used up",
  preheader: "Live verifications return 402 QUOTA_EXCEEDED. Test keys keep working.",
  heading: "Your quota is used up",
  before: [
    `You've used all ${formatCount(limit)} successful live verifications in your plan. Live verifications now return 402 QUOTA_EXCEEDED. Test keys keep working.`,
  ],
}));
