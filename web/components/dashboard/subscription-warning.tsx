import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import Mail from "lucide-react/icons/mail";
import { useRef, useState } from "react";
import { subscriptions } from "../../../contract/endpoints/subscriptions.ts";
import { PLANS, planTerms } from "../../../contract/plans.ts";
import type { Subscription } from "../../../contract/subscriptions.ts";
import { CONTACT, mailto } from "../../content/contact.ts";
import { quotaText, rateText } from "../../content/plan-terms.ts";
import { call } from "../../lib/api/call.ts";
import { ApiFailure } from "../../lib/api/failure.ts";
import { levelOf, runsOutAt } from "../../lib/figures.ts";
import { formatCount } from "../../../contract/format.ts";
import { DAY_MS, formatDate } from "../../lib/format.ts";
import { queries } from "../../lib/queries.ts";
import { toast } from "../../lib/toast.ts";
import { toastFailure } from "../../lib/toast-failure.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import type { ButtonLook } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Banner } from "./banner.tsx";
import { focusHeading } from "./page-heading.tsx";

/** What someone without quota can do today, while Pro isn’t available: write to us. */
export function EmailForMore({ variant = "primary" }: Pick<ButtonLook, "variant">) {
  return (
    <ButtonLink variant={variant} size="sm" to={mailto(CONTACT.support, "More verifications")}>
      <MailIcon />
      Email us for more
    </ButtonLink>
  );
}

function MailIcon() {
  return <Mail aria-hidden="true" className="size-4" strokeWidth={1.5} />;
}

const TERMS = ["Pay per successful request. Invalid numbers are free", rateText(PLANS.pro), quotaText(PLANS.pro)];

/** "Upgrade to Pro", and the dialog that says there is nothing to buy yet. */
export function UpgradeButton({ variant = "secondary" }: Pick<ButtonLook, "variant">) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant={variant} size="sm" onClick={() => setOpen(true)}>
        Upgrade to Pro
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        size="sm"
        title="Pro is coming soon"
        description="It isn’t available yet, and we’ll announce the price first."
        cancel={<Button variant="secondary">Close</Button>}
        actions={
          <ButtonLink to={mailto(CONTACT.support, "Upgrade to Pro")}>
            <MailIcon />
            Email us about Pro
          </ButtonLink>
        }
      >
        <p className="mb-3 text-soft">Pro will include:</p>
        <ul className="divide-y divide-line border-y border-line">
          {TERMS.map((line) => (
            <li key={line} className="py-2.5 text-soft">
              {line}
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}

/** "today", "tomorrow", or "around Nov 28, 2026" */
function dayText(time: number, now: number): string {
  const [day, today, tomorrow] = [time, now, now + DAY_MS].map((each) => formatDate(new Date(each).toISOString()));
  return day === today ? "today" : day === tomorrow ? "tomorrow" : `around ${day}`;
}

/** What remains of a quota, in words. */
function remainderText(subscription: Subscription, now: number): string {
  const runsOut = runsOutAt(subscription, now) ?? Infinity;
  const pace = runsOut === Infinity ? "" : `At this pace, you’ll run out ${dayText(runsOut, now)}. `;
  return `${pace}Live calls fail once they’re used up. Test keys keep working.`;
}

/** Says that the quota is nearly or entirely used up, with a way to get more. Renders nothing before that. */
export function QuotaNotice({ className }: { className?: string | undefined }) {
  const { data, dataUpdatedAt } = useQuery(queries.subscription);
  if (data?.status !== "active") return null;
  const { limit, remaining } = data.quota;
  const level = levelOf(data.quota);
  if (limit === null || remaining === null || level === "fine") return null;
  const isEmpty = level === "empty";
  return (
    <section aria-label={isEmpty ? "Quota used up" : "Quota running low"} className={className}>
      <Banner
        tone={level === "low" ? "possible" : "invalid"}
        title={
          isEmpty
            ? `You’ve used all ${formatCount(limit)} successful live verifications.`
            : `${formatCount(remaining, "live verification")} left`
        }
        actions={<EmailForMore variant={level === "low" ? "secondary" : "primary"} />}
      >
        {isEmpty
          ? "Live calls fail; test keys still work. Pro isn’t available yet, so email us if you need more."
          : remainderText(data, dataUpdatedAt)}
      </Banner>
    </section>
  );
}

/** Starts the free trial and reports the outcome. `onGone` is called before its button disappears. */
function useTrial(onGone: () => void) {
  const client = useQueryClient();
  const { queryKey } = queries.subscription;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(subscriptions.activateTrial),
    async onSuccess(subscription) {
      toast.success("Trial activated");
      // A pending response could still show the old state.
      await client.cancelQueries({ queryKey });
      onGone();
      client.setQueryData(queryKey, subscription);
    },
    async onError(failure) {
      toastFailure("Error activating trial", failure);
      const code = failure instanceof ApiFailure ? failure.code : undefined;
      if (code === "TRIAL_UNAVAILABLE") onGone();
      // Started elsewhere in the meantime: the displayed state is outdated.
      if (code === "TRIAL_ALREADY_USED") await client.invalidateQueries({ queryKey });
    },
  });
  return {
    activate: () => mutate(),
    isActivating: isPending,
    /** Why no trial is available; undefined unless the last attempt was rejected for that. */
    unavailable: error instanceof ApiFailure && error.code === "TRIAL_UNAVAILABLE" ? error.message : undefined,
  };
}

/** Why the subscription is not active, if no trial is available. */
function whyInactive({ plan, status, expires_at: end }: Subscription): string {
  const what = plan === "trial" ? "Your free trial" : `Your ${planTerms(plan ?? "")?.name ?? "paid"} subscription`;
  const ended = status === "expired" && end !== null ? `${what} ended on ${formatDate(end)}` : `${what} has ended`;
  return `${ended}. Live keys no longer work. Existing test keys keep working.`;
}

const WARNING = "You need an active subscription to use the API.";

interface SubscriptionWarningProps {
  className?: string | undefined;
  /** As a checklist step: without a frame. */
  isStep?: boolean;
}

/** Warns that the subscription is not active, with ways to get one. Renders nothing while it is active. */
export function SubscriptionWarning({ className, isStep = false }: SubscriptionWarningProps) {
  const { data: subscription } = useQuery(queries.subscription);
  const section = useRef<HTMLElement>(null);
  const { activate, isActivating, unavailable } = useTrial(() => {
    const { activeElement } = document;
    // A user who has moved on keeps the focus.
    if (activeElement === document.body || section.current?.contains(activeElement)) focusHeading();
  });
  if (subscription === undefined || subscription.status === "active") return null;
  const { trial_available: canStart } = subscription;
  const actions = (
    <>
      {canStart && unavailable === undefined && (
        <Button size="sm" busy={isActivating} onClick={activate}>
          Activate Free Trial
        </Button>
      )}
      {unavailable !== undefined && (
        <ButtonLink to={mailto(CONTACT.support, "Free trial")} variant="secondary" size="sm">
          Email support
        </ButtonLink>
      )}
      {!canStart && <EmailForMore />}
      <UpgradeButton variant={canStart ? "quiet" : "secondary"} />
    </>
  );
  const about = canStart ? (unavailable ?? "No credit card. It doesn’t auto-renew.") : whyInactive(subscription);
  return (
    <section ref={section} aria-label="Subscription warning" className={className}>
      {isStep ? (
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <div className="min-w-0 flex-1 basis-48 text-sm text-muted">
            <p>{WARNING}</p>
            <p>{about}</p>
          </div>
          <div className="-mr-3 flex flex-wrap items-center gap-1.5">{actions}</div>
        </div>
      ) : (
        <Banner tone={canStart ? "possible" : "invalid"} title={WARNING} actions={actions}>
          {about}
        </Banner>
      )}
    </section>
  );
}
