import { formatCount, formatUtcDay, formatUtcTime } from "../../../contract/format.ts";
import type { Subscription } from "../../../contract/subscriptions.ts";
import type { UsageSource } from "../../ledger/reports.ts";
import type { Email } from "../../mail/email.ts";
import { DAY_MS } from "../../platform/time.ts";
import { readSubscription } from "../subscription.ts";

/** How long before a trial ends its owner is notified, in milliseconds. */
export const EXPIRY_NOTICE_MS = 3 * DAY_MS;

interface EndingTrial {
  /** Milliseconds since the Unix epoch. */
  readonly endsAt: number;
  /** Successful live verifications. */
  readonly used: number;
  readonly limit: number;
}

/** What the email says; null when the trial is over, or was extended beyond the notice period. */
export function endingTrial(subscription: Subscription, now: number): EndingTrial | null {
  const { status, plan, expires_at: expiresAt, quota } = subscription;
  if (status !== "active" || plan !== "trial" || expiresAt === null || quota.limit === null) return null;
  const endsAt = Date.parse(expiresAt);
  return endsAt > now + EXPIRY_NOTICE_MS ? null : { endsAt, used: quota.used, limit: quota.limit };
}

export const trialEndingEmail: Email<UsageSource, EndingTrial> = {
  purpose: "trial_ending",
  part: "notices",
  oncePerBatch: true,
  skipIfSuspended: true,
  load: async (source, _, { id }) => endingTrial(await readSubscription(source, id), source.now),
  write({ endsAt, used, limit }, origin) {
    const end = formatUtcTime(endsAt);
    return {
      subject: `Your Checkline trial ends on ${formatUtcDay(endsAt)}`,
      preheader: "After that, live keys stop working. Test keys keep working.",
      heading: "Your trial ends soon",
      before: [
        `Your free trial ends on ${end}. After that, live keys return 403 SUBSCRIPTION_INACTIVE. Test keys keep working, and you keep your account, keys, and usage reports.`,
      ],
      facts: [
        { label: "Ends", value: end },
        { label: "Used", value: `${formatCount(used)} of ${formatCount(limit)} successful live verifications` },
      ],
      button: { label: "Open the dashboard", href: `${origin}/dashboard` },
      after: ["There's nothing to cancel."],
    };
  },
};
