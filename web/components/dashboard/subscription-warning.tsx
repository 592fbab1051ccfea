import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { clsx } from "clsx";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { subscriptions } from "../../../contract/endpoints/subscriptions.ts";
import { NUMBERS_PER_MINUTE, PLAN_QUOTA, REQUESTS_PER_MINUTE } from "../../../contract/limits.ts";
import type { Subscription } from "../../../contract/subscriptions.ts";
import { CONTACT, mailto } from "../../content/contact.ts";
import { call } from "../../lib/api/call.ts";
import { ApiFailure } from "../../lib/api/failure.ts";
import { formatCount } from "../../lib/format-count.ts";
import { formatDate } from "../../lib/format.ts";
import { queries } from "../../lib/queries.ts";
import { toast } from "../../lib/toast.ts";
import { toastFailure } from "../../lib/toast-failure.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import type { ButtonLook } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TextLink } from "../ui/link.tsx";
import { useAccount } from "./account-context.ts";
import { focusHeading } from "./page-heading.tsx";

/** Sends another email with the verification link. */
export function ResendVerification() {
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () => call(accounts.resendVerification),
    onSuccess({ message }) {
      toast.success("Check your email", message);
    },
    async onError(error) {
      if (error instanceof ApiFailure && error.code === "ALREADY_VERIFIED") {
        // The link was opened elsewhere in the meantime.
        toast.success(error.message);
        await client.invalidateQueries({ queryKey: queries.account.queryKey });
      } else {
        toastFailure("Could not send the email", error);
      }
    },
  });
  return (
    <Button variant="secondary" size="sm" busy={resend.isPending} onClick={() => resend.mutate()}>
      Resend verification email
    </Button>
  );
}

const TERMS = [
  "Billed per successful request; invalid numbers are free",
  `${REQUESTS_PER_MINUTE.pro} requests and ${formatCount(NUMBERS_PER_MINUTE.pro)} numbers per minute`,
  PLAN_QUOTA.pro === null ? "Unlimited verifications" : `${formatCount(PLAN_QUOTA.pro)} successful verifications`,
];

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
        description={
          <>
            It isn’t available yet, and we’ll announce the price first. If you need more before then,{" "}
            <TextLink to={mailto(CONTACT.support, "More before Pro")}>email us</TextLink>.
          </>
        }
        cancel={<Button variant="secondary">Close</Button>}
        actions={<ButtonLink to={mailto(CONTACT.support, "Upgrade to Pro")}>Tell me when it opens</ButtonLink>}
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

/** Says that the quota is used up, with a way to get more. Renders nothing before that. */
export function QuotaNotice({ className }: { className?: string | undefined }) {
  const { data } = useQuery(queries.subscription);
  if (data?.status !== "active" || data.quota.remaining !== 0) return null;
  return (
    <section
      aria-label="Quota used up"
      className={clsx(
        "flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-invalid/45 bg-invalid-wash p-4 sm:px-5",
        className,
      )}
    >
      <p className="min-w-0 flex-1 basis-64">
        <span className="block font-medium text-ink">
          You’ve used all {formatCount(data.quota.limit ?? 0)} successful live verifications.
        </span>
        <span className="block text-sm text-soft">Live calls return 402 until you upgrade. Test keys still work.</span>
      </p>
      <UpgradeButton />
    </section>
  );
}

/** Starts the free trial and reports the outcome. `onStarted` is called before the warning disappears. */
function useTrial(onStarted: () => void) {
  const client = useQueryClient();
  const { queryKey } = queries.subscription;
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => call(subscriptions.activateTrial),
    async onSuccess(subscription) {
      toast.success("Trial activated");
      // A pending response could still show the old state.
      await client.cancelQueries({ queryKey });
      onStarted();
      client.setQueryData(queryKey, subscription);
    },
    async onError(failure) {
      toastFailure("Error activating trial", failure);
      // Started elsewhere in the meantime: the displayed state is outdated.
      const isOutOfDate = failure instanceof ApiFailure && failure.code === "TRIAL_ALREADY_USED";
      if (isOutOfDate) await client.invalidateQueries({ queryKey });
    },
  });
  return {
    activate: () => mutate(),
    isActivating: isPending,
    /** The last attempt was rejected because the address is not verified. */
    needsVerification: error instanceof ApiFailure && error.code === "EMAIL_NOT_VERIFIED",
    /** Why no trial is available; undefined unless the last attempt was rejected for that. */
    unavailable: error instanceof ApiFailure && error.code === "TRIAL_UNAVAILABLE" ? error.message : undefined,
  };
}

/** Why the subscription is not active, if no trial is available. */
function whyInactive({ plan, status, expires_at: end }: Subscription): string {
  const what = plan === "pro" ? "Your Pro subscription" : "Your free trial";
  const ended = status === "expired" && end !== null ? `${what} ended on ${formatDate(end)}` : `${what} has ended`;
  return `${ended}. The free trial can only be started once. Your test keys still work.`;
}

/** What clicking the button has revealed. */
const MORE = "mt-4 flex flex-wrap items-center gap-x-6 gap-y-3 border-t border-possible/30 pt-4";

interface SubscriptionWarningProps {
  className?: string | undefined;
  /** As a checklist step: without a frame, on a page that already offers another verification email. */
  isStep?: boolean;
}

/** Warns that the subscription is not active, with ways to get one. Renders nothing while it is active. */
export function SubscriptionWarning({ className, isStep = false }: SubscriptionWarningProps) {
  const { data: subscription } = useQuery(queries.subscription);
  const { is_verified: isVerified, email } = useAccount();
  const section = useRef<HTMLElement>(null);
  const { activate, isActivating, needsVerification, unavailable } = useTrial(() => {
    const { activeElement } = document;
    // A user who has moved on keeps the focus.
    if (activeElement === document.body || section.current?.contains(activeElement)) focusHeading();
  });
  if (subscription === undefined || subscription.status === "active") return null;
  const { trial_available: canStart } = subscription;
  return (
    <section ref={section} aria-label="Subscription warning" className={className}>
      <div className={clsx(!isStep && "rounded-lg border border-possible/45 bg-possible-wash p-4 sm:px-5")}>
        <div className="flex flex-wrap items-center gap-x-6 gap-y-4">
          <div className="flex min-w-0 flex-1 basis-72 items-start gap-3">
            {!isStep && (
              <TriangleAlert aria-hidden="true" strokeWidth={1.5} className="mt-0.5 size-5 shrink-0 text-possible" />
            )}
            <div className="min-w-0">
              <p className={isStep ? "text-sm text-muted" : "font-medium text-ink"}>
                You need an active subscription to use the API.
              </p>
              {isStep && canStart && <p className="text-sm text-muted">No credit card. It doesn’t auto-renew.</p>}
              {!canStart && <p className="mt-0.5 text-sm text-soft">{whyInactive(subscription)}</p>}
            </div>
          </div>
          <div className={clsx("flex flex-wrap items-center", isStep ? "gap-1.5" : "gap-2")}>
            {canStart && (
              <Button
                size="sm"
                // Rejected until the address is verified, so that is the primary action.
                variant={isVerified ? "primary" : "secondary"}
                busy={isActivating}
                onClick={activate}
              >
                Activate Free Trial
              </Button>
            )}
            <UpgradeButton />
          </div>
        </div>
        <div aria-live="polite">
          {unavailable !== undefined && (
            <div className={MORE}>
              <p className="min-w-0 flex-1 basis-72 text-sm text-soft">{unavailable}</p>
              <ButtonLink to={mailto(CONTACT.support, "Free trial")} variant="secondary" size="sm">
                Email support
              </ButtonLink>
            </div>
          )}
          {needsVerification && !isVerified && (
            <div className={MORE}>
              <p className="min-w-0 flex-1 basis-72 text-sm text-soft">
                Verify your email first: open the link in the email to <strong>{email}</strong>, then activate the
                trial.
              </p>
              {!isStep && <ResendVerification />}
            </div>
          )}
        </div>
      </div>
    </section>
  );
}
