import { useState } from "react";
import { ChangePasswordRequest } from "../../../../contract/accounts.ts";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import {
  MIN_PASSWORD_LENGTH,
  SECURITY_EVENT_DAYS,
  SESSION_DAYS,
  SESSION_IDLE_HOURS,
} from "../../../../contract/limits.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { passwordComplaint } from "../../../../contract/passwords.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import type { FormErrors, FormValues } from "../../../components/forms/use-form.ts";
import { useGuessable } from "../../../components/forms/use-guessable.ts";
import { Button } from "../../../components/ui/button.tsx";
import { PasswordField } from "../../../components/ui/input.tsx";
import { call } from "../../../lib/api/call.ts";
import { atPasswordField, failureMessage } from "../../../lib/api/failure.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { renewing } from "../../../lib/session/on-server.ts";
import { toast } from "../../../lib/toast.ts";
import { ReviewDialog } from "../keys/review-dialog.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { SecurityEvents } from "./security-events.tsx";
import { Sessions } from "./sessions.tsx";
import { SettingsCard, SettingsFrame } from "./settings-frame.tsx";

/** What the schema does not check, by field. @param guessable the problem with an easily guessed password */
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

function ChangePassword({ onChanged }: { onChanged: () => void }) {
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
      onChanged();
    },
    failed(error) {
      toast.error("Change failed", failureMessage(error, "Failed to change password"));
    },
  });
  return (
    <form {...form.props} className="@container rounded-lg border border-line bg-surface p-5">
      <div className="grid items-start gap-5 @2xl:grid-cols-3">
        {/* For password managers, to identify the account. */}
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
          hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
          required
        />
        <PasswordField
          {...form.field("confirm_password")}
          label="Confirm new password"
          autoComplete="new-password"
          required
        />
        <Button {...form.submitButton} className="justify-self-start @2xl:col-span-full">
          Change password
        </Button>
      </div>
    </form>
  );
}

export const meta = () =>
  accountPageMeta(
    "Security",
    "/dashboard/settings/security",
    "Your Checkline password, two-factor authentication, sessions, and security events.",
  );

export default function Security() {
  const [isReviewing, setReviewing] = useState(false);
  return (
    <SettingsFrame>
      {isReviewing && <ReviewDialog onClose={() => setReviewing(false)} />}
      <SettingsCard
        title="Change password"
        description="Logs out every other browser and device. This one stays logged in."
      >
        <ChangePassword onChanged={() => setReviewing(true)} />
      </SettingsCard>
      <SettingsCard
        title="Two-factor authentication"
        description="Protects your account even if your password is stolen."
      >
        <SecondFactor />
      </SettingsCard>
      <SettingsCard
        title="Sessions"
        description={`Where you’re logged in. Sessions end after ${SESSION_IDLE_HOURS} hours of inactivity, or after ${SESSION_DAYS} days.`}
      >
        <Sessions />
      </SettingsCard>
      <SettingsCard
        title="Security events"
        description={`Security activity from the last ${SECURITY_EVENT_DAYS} days. We email you about new devices, keys, and password or two-factor changes.`}
      >
        <SecurityEvents />
      </SettingsCard>
    </SettingsFrame>
  );
}
