import { useState } from "react";
import { ChangePasswordRequest, DeleteAccountRequest } from "../../../../contract/accounts.ts";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { MIN_PASSWORD_LENGTH, SESSION_DAYS } from "../../../../contract/limits.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { forgetDismissal } from "../../../components/dashboard/checklist.tsx";
import { passwordComplaint } from "../../../../contract/passwords.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import type { FormErrors, FormValues } from "../../../components/forms/use-form.ts";
import { useGuessable } from "../../../components/forms/use-guessable.ts";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog, DialogActions } from "../../../components/ui/dialog.tsx";
import { PasswordField } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { RETENTION } from "../../../content/retention.ts";
import { call } from "../../../lib/api/call.ts";
import { ApiFailure, atPasswordField, failureMessage } from "../../../lib/api/failure.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { endSession } from "../../../lib/session/end-session.ts";
import { renewing } from "../../../lib/session/token.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
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
      await atPasswordField("old_password", renewing(call(accounts.changePassword, body)));
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
  "Your name, email address and password",
  "Every API key, test and live; calls with them are refused",
  "Your subscription, and what is left of a trial",
  "All usage figures and reports",
  "The links in mails we have sent you",
];

function DeleteForm() {
  const { id, email } = useAccount();
  const form = useForm({
    schema: DeleteAccountRequest,
    async submit(body) {
      await atPasswordField("password", call(accounts.deleteAccount, body));
      forgetDismissal(id);
      endSession("/");
      toast.success("Account deleted");
    },
    failed(error) {
      // A wrong password is reported at its field.
      if (error instanceof ApiFailure && Object.keys(error.fields).length > 0) return;
      toast.error("Could not delete the account", failureMessage(error, "Try again in a moment."));
    },
  });
  return (
    <form {...form.props}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField {...form.field("password")} label="Your password" autoComplete="current-password" required />
      <DialogActions cancel={<Button variant="secondary">Cancel</Button>}>
        <Button {...form.submitButton} variant="danger">
          Delete account
        </Button>
      </DialogActions>
    </form>
  );
}

function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const { email } = useAccount();
  return (
    <>
      <Button variant="secondary" className="border-invalid/45 text-invalid" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        size="md"
        title="Delete your account?"
        description={
          <>
            This erases <strong className="font-medium text-ink">{email}</strong> for good. Nobody can bring it back.
          </>
        }
      >
        <ul className="mb-5 divide-y divide-line border-y border-line text-soft">
          {ERASED.map((line) => (
            <li key={line} className="py-2.5">
              {line}
            </li>
          ))}
        </ul>
        <p className="mb-5 text-sm text-muted">
          Hashes of your keys stay for up to {RETENTION.revokedKeyDays} days, so that the keys go on being refused. The{" "}
          <TextLink to="/policy" className="text-ink">
            privacy policy
          </TextLink>{" "}
          names everything that is kept, and for how long.
        </p>
        <DeleteForm />
      </AlertDialog>
    </>
  );
}

function SignOutEverywhere() {
  const [open, setOpen] = useState(false);
  // No mutation: its cache would keep the response, which is a session token.
  const { busy, run } = useAction();

  async function end(): Promise<void> {
    try {
      await renewing(call(accounts.revokeSessions));
      setOpen(false);
      toast.success("Signed out everywhere else");
    } catch (error) {
      toast.error("Could not end the other sessions", failureMessage(error, "Try again in a moment."));
    }
  }

  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Sign out everywhere
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        title="Sign out everywhere?"
        description="Every other browser and device is signed out at once. This browser stays signed in, and API keys keep working."
        cancel={<Button variant="secondary">Cancel</Button>}
        actions={
          <Button busy={busy} onClick={() => run(end)}>
            Sign out everywhere
          </Button>
        }
      />
    </>
  );
}

export const meta = () =>
  accountPageMeta(
    "Security",
    "/dashboard/settings/security",
    "Password, sessions and deletion of your Checkline account.",
  );

export default function Security() {
  return (
    <SettingsFrame>
      <SettingsCard
        title="Change password"
        description="Every other browser and device is signed out. This one stays signed in."
      >
        <ChangePassword />
      </SettingsCard>
      <SettingsCard title="Sessions" description={`A session ends by itself after ${SESSION_DAYS} days.`}>
        <p className="mb-4 text-soft">
          Have you signed in on a device that is not yours, or that you no longer have? End every session but this one.
        </p>
        <SignOutEverywhere />
      </SettingsCard>
      <SettingsCard title="Delete account" description="At once, and for good.">
        <p className="mb-4 text-soft">Erases the account with its keys, subscription and usage.</p>
        <DeleteAccount />
      </SettingsCard>
    </SettingsFrame>
  );
}
