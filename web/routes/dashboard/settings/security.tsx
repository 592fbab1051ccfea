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
  const complaint = old && old === next ? "New password must be different" : guessable;
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
  "Your name, email, and password",
  "All API keys, test and live. Calls with them will fail.",
  "Your subscription, including an unused trial",
  "Passkeys, authenticator app, recovery codes, and security events",
  "All usage data and reports",
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
      toastFailure("Couldn’t delete the account", error);
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
          We keep hashes of your keys for up to {RETENTION.revokedKeyDays} days so they can’t be used. The{" "}
          <TextLink to="/policy" className="text-ink">
            privacy policy
          </TextLink>{" "}
          lists everything we keep and for how long.
        </p>
      </AlertDialog>
    </>
  );
}

export const meta = () =>
  accountPageMeta(
    "Security",
    "/dashboard/settings/security",
    "Your Checkline password, two-factor authentication, sessions, and security events, and account deletion.",
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
        title="Two-factor authentication"
        description="Protects your account even if your password is stolen."
      >
        <SecondFactor />
      </SettingsCard>
      <SettingsCard
        title="Sessions"
        description={`Where you’re logged in. Sessions end after ${SESSION_IDLE_HOURS} idle hours, or after ${SESSION_DAYS} days.`}
      >
        <Sessions />
      </SettingsCard>
      <SettingsCard
        title="Security events"
        description={`Security activity from the last ${SECURITY_EVENT_DAYS} days. We email you about new devices, keys, and password or two-factor changes.`}
      >
        <SecurityEvents />
      </SettingsCard>
      <SettingsCard title="Delete account" description="Immediate and permanent.">
        <p className="mb-4 text-soft">Deletes your account, keys, subscription, and usage.</p>
        <DeleteAccount />
      </SettingsCard>
    </SettingsFrame>
  );
}
