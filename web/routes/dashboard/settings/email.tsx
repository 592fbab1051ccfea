import { useRef } from "react";
import { ChangeEmailRequest } from "../../../../contract/accounts.ts";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { CHANGE_EMAILS_PER_DAY } from "../../../../contract/limits.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { call } from "../../../lib/api/call.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { InPlace, useShowAccount } from "./in-place.tsx";
import { Term } from "./settings-frame.tsx";

function useRequestChange(): (email: string) => Promise<void> {
  const show = useShowAccount();
  return async function request(email) {
    await show(await call(accounts.requestEmailChange, { email }));
    toast.success("Check your new mailbox", `We’re sending an email to ${email.trim()}.`);
  };
}

/** The address that waits for its link to be opened. */
function PendingEmail({ email, onCanceled }: { email: string; onCanceled: () => void }) {
  const request = useRequestChange();
  const show = useShowAccount();
  const again = useAction((error) => toastFailure("Couldn’t send the email", error));
  const cancel = useAction((error) => toastFailure("Couldn’t cancel the change", error));

  async function giveUp(): Promise<void> {
    const account = await call(accounts.cancelEmailChange);
    onCanceled();
    await show(account);
    toast.success("Email change canceled");
  }

  return (
    <Term name="New email">
      <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0">{email}</span>
        <Badge>Unverified</Badge>
      </span>
      <p className="mt-1 text-sm text-muted">
        Open the link in our email to finish. Until then, log in with the current address. Only the newest link works;
        we send up to {CHANGE_EMAILS_PER_DAY} per day.
      </p>
      <span className="mt-3 mb-1 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" busy={again.busy} onClick={() => again.run(() => request(email))}>
          Send again
        </Button>
        <Button variant="secondary" size="sm" busy={cancel.busy} onClick={() => cancel.run(giveUp)}>
          Cancel change
        </Button>
      </span>
    </Term>
  );
}

/** The account's address, and one that it changes to. */
export function EmailTerms() {
  const { email, is_verified: isVerified, pending_email: pending } = useAccount();
  const edit = useRef<HTMLButtonElement>(null);
  const request = useRequestChange();
  return (
    <>
      <Term name="Email">
        <InPlace
          label="Edit email"
          button={edit}
          schema={ChangeEmailRequest}
          field={{
            name: "email",
            label: "New email",
            type: "email",
            autoComplete: "email",
            autoCapitalize: "none",
            spellCheck: false,
            hint: `It replaces ${email} once you open the link we send there.`,
          }}
          save={({ email: next }) => request(next)}
          failure="Couldn’t change the email"
        >
          <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <span className="min-w-0">{email}</span>
            {isVerified && <Badge tone="verified">Verified</Badge>}
          </span>
        </InPlace>
      </Term>
      {pending !== null && <PendingEmail key={pending} email={pending} onCanceled={() => edit.current?.focus()} />}
    </>
  );
}
