import { useRef, useState } from "react";
import { ChangePasswordRequest } from "../../../../contract/accounts.ts";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import {
  MIN_PASSWORD_LENGTH,
  SECURITY_EVENT_DAYS,
  SESSION_DAYS,
  SESSION_IDLE_HOURS,
} from "../../../../contract/limits.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { forgetDismissal } from "../../../components/dashboard/checklist.tsx";
import { passwordComplaint } from "../../../../contract/passwords.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import type { FormErrors, FormValues } from "../../../components/forms/use-form.ts";
import { useGuessable } from "../../../components/forms/use-guessable.ts";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { PasswordField } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { RETENTION } from "../../../content/retention.ts";
import { call } from "../../../lib/api/call.ts";
import { atPasswordField, failureMessage } from "../../../lib/api/failure.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { endSession } from "../../../lib/session/end-session.ts";
import { renewing } from "../../../lib/session/on-server.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { SecondFactor } from "./second-factor.tsx";
import { SecurityEvents } from "./security-events.tsx";
import { Sessions } from "./sessions.tsx";
import { SettingsCard, SettingsFrame } from "./settings-frame.tsx";

/** What the schema does not say, by field. @param guessable what is wrong with a password that is easy to guess */
function complaints(
  { old_password: old, new_password: next = "", confirm_password: again }: FormValues,
  guessable: string | null,
): FormErrors {
  const complaint = old && old === next ? "New password must not be the current one" : guessable;
  return {
    ...(!old && { old_password: "Type your current password" }),
    ...(passwordComplaint(next) === null && complaint !== null && { new_password: complaint }),
    ...(again !== next && { confirm_password: "New passwords do not match" }),
  };
}

function ChangePassword() {
  const { email, name } = useAccount();
  const guessable = useGuessable();
  const form = useForm({
    schema: ChangePasswordRequest,
    confirm: { confirm_password: "new_password" },
    rules: (values) => complaints(values, guessable(values["new_password"] ?? "", { email, name })),
    async submit(body, element) {
      await atPasswordField("old_password", renewing(call(accounts.changePassword, body, { renews: true })));
      element.reset();
      toast.success("Password updated");
    },
    failed(error) {
      toast.error("Change failed", failureMessage(error, "Failed to change password"));
    },
  });
  return (
    <form {...form.props} className="flex flex-col gap-5">
      {/* For password managers, to know whose password it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        {...form.field("old_password")}
        label="Current password"
        autoComplete="current-password"
        required
      />
      <PasswordField
        {...form.field("new_password")}
        label="New password"
        autoComplete="new-password"
        hint={`At least ${MIN_PASSWORD_LENGTH} characters.`}
        required
      />
      <PasswordField
        {...form.field("confirm_password")}
        label="Confirm new password"
        autoComplete="new-password"
        required
      />
      <div>
        <Button {...form.submitButton}>Change password</Button>
      </div>
    </form>
  );
}

/** What the worker's schema takes away with the account. */
const ERASED = [
  "Your name, email and password",
  "Every API key, test and live; calls with them fail",
  "Your subscription, including an unused trial",
  "Passkeys, authenticator app, recovery codes and security events",
  "All usage figures and reports",
  "The links in emails we sent you",
];

function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const { busy, run } = useAction();
  const { id, email } = useAccount();

  async function erase(): Promise<void> {
    // Before the question for the password, which may come next.
    setOpen(false);
    try {
      await call(accounts.deleteAccount);
      forgetDismissal(id);
      endSession("/");
      toast.success("Account deleted");
    } catch (error) {
      toastFailure("Could not delete the account", error);
    }
  }

  return (
    <>
      <Button variant="secondary" className="border-invalid/45 text-invalid" busy={busy} onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        size="md"
        title="Delete your account?"
        description={
          <>
            This permanently deletes <strong className="font-medium text-ink">{email}</strong>. This can’t be undone.
          </>
        }
        initialFocus={keep}
        cancel={
          <Button ref={keep} variant="secondary">
            Cancel
          </Button>
        }
        actions={
          <Button variant="danger" onClick={() => run(erase)}>
            Delete account
          </Button>
        }
      >
        <ul className="mb-5 divide-y divide-line border-y border-line text-soft">
          {ERASED.map((line) => (
            <li key={line} className="py-2.5">
              {line}
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted">
          Hashes of your keys are kept for up to {RETENTION.revokedKeyDays} days so that the keys stay refused. The{" "}
          <TextLink to="/policy" className="text-ink">
            privacy policy
          </TextLink>{" "}
          lists everything we keep, and for how long.
        </p>
      </AlertDialog>
    </>
  );
}

export const meta = () =>
  accountPageMeta(
    "Security",
    "/dashboard/settings/security",
    "Password, two-step login, sessions, security events and deletion of your Checkline account.",
  );

export default function Security() {
  return (
    <SettingsFrame>
      <SettingsCard
        title="Change password"
        description="Logs out every other browser and device. This one stays logged in."
      >
        <ChangePassword />
      </SettingsCard>
      <SettingsCard
        title="Two-step login"
        description="A stolen password is not enough: logging in also takes your phone or a passkey."
      >
        <SecondFactor />
      </SettingsCard>
      <SettingsCard
        title="Sessions"
        description={`Where you are logged in. Sessions end after ${SESSION_IDLE_HOURS} hours without use, or ${SESSION_DAYS} days at most.`}
      >
        <Sessions />
      </SettingsCard>
      <SettingsCard
        title="Security events"
        description={`What happened to the account in the last ${SECURITY_EVENT_DAYS} days, and the last login. You get an email about new devices, keys, passwords and second factors.`}
      >
        <SecurityEvents />
      </SettingsCard>
      <SettingsCard title="Delete account" description="Immediate and permanent.">
        <p className="mb-4 text-soft">Deletes the account with its keys, subscription and usage.</p>
        <DeleteAccount />
      </SettingsCard>
    </SettingsFrame>
  );
}
