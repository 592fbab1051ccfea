import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { useRef } from "react";
import type { Subscription } from "../../../contract/subscriptions.ts";
import { usDate } from "../../lib/dates.ts";
import { queries } from "../../lib/queries.ts";
import { Button } from "../ui/button.tsx";
import { useAccount } from "./account-context.ts";
import { focusHeading } from "./focus-heading.ts";
import { ResendVerification } from "./resend-verification.tsx";
import { UpgradeButton } from "./upgrade.tsx";
import { useTrial } from "./use-trial.ts";

/** What became of the trial, for those who cannot start one. */
function pastOf({ plan, status, expires_at: end }: Subscription): string {
  const what = plan === "pro" ? "Your Pro subscription" : "Your free trial";
  const ended = status === "expired" && end !== null ? `${what} ended on ${usDate(end)}` : `${what} has ended`;
  return `${ended}, and the trial can be started only once. Test keys that you have keep working.`;
}

/** Says that the subscription is not active, and offers what can be done about it. Nothing while it is. */
export function SubscriptionWarning({ className }: { className?: string | undefined }) {
  const { data: subscription } = useQuery(queries.subscription);
  const { is_verified: isVerified, email } = useAccount();
  const section = useRef<HTMLElement>(null);
  const { activate, isActivating, needsVerification } = useTrial(() => {
    const { activeElement } = document;
    // Who has gone elsewhere meanwhile stays there.
    if (activeElement === document.body || section.current?.contains(activeElement)) focusHeading();
  });
  if (subscription === undefined || subscription.status === "active") return null;
  const { trial_available: canStart } = subscription;
  return (
    <section ref={section} aria-label="Subscription warning" className={className}>
      <div className="rounded-lg border border-possible/45 bg-possible-wash p-4 sm:px-5">
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
            <TriangleAlert aria-hidden="true" strokeWidth={1.5} className="mt-0.5 size-5 shrink-0 text-possible" />
            <div className="min-w-0">
              <p className="font-medium text-ink">You need an active subscription to use the API.</p>
              {!canStart && <p className="mt-0.5 text-sm text-soft">{pastOf(subscription)}</p>}
            </div>
          </div>
          <div className="flex flex-wrap items-center gap-2">
            {canStart && (
              <Button size="sm" busy={isActivating} onClick={activate}>
                Activate Free Trial
              </Button>
            )}
            <UpgradeButton />
          </div>
        </div>
        <div aria-live="polite">
          {needsVerification && !isVerified && (
            <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-possible/30 pt-4">
              <p className="min-w-0 flex-1 basis-72 text-sm text-soft">
                Verify your email address first: open the link in the mail to <strong>{email}</strong>, then activate
                the trial.
              </p>
              <ResendVerification />
            </div>
          )}
        </div>
      </div>
    </section>
  );
}
