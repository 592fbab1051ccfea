import { ChangePasswordRequest } from "../../../../contract/accounts.ts";
import { MIN_PASSWORD_LENGTH } from "../../../../contract/limits.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import type { FormErrors, FormValues } from "../../../components/forms/use-form.ts";
import { Button } from "../../../components/ui/button.tsx";
import { PasswordField } from "../../../components/ui/input.tsx";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { call } from "../../../lib/api/call.ts";
import { renewing } from "../../../lib/session/token.ts";
import { ApiFailure, failureMessage } from "../../../lib/api/failure.ts";
import { toast } from "../../../lib/toast.ts";

/** Waits for an answer; a wrong password becomes a complaint about the field it was typed in. */
export async function atPasswordField<T>(field: string, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof ApiFailure) || error.code !== "WRONG_PASSWORD") throw error;
    throw new ApiFailure(error.message, { ...error, fields: { ...error.fields, [field]: error.message } });
  }
}

const TOO_SHORT = `Password must be at least ${MIN_PASSWORD_LENGTH} characters`;

function complaints({ old_password: old, new_password: next = "", confirm_password: again }: FormValues): FormErrors {
  return {
    ...(!old && { old_password: "Type your current password" }),
    ...(next.length < MIN_PASSWORD_LENGTH && { new_password: TOO_SHORT }),
    ...(again !== next && { confirm_password: "New passwords do not match" }),
  };
}

export function ChangePassword() {
  const { email } = useAccount();
  const form = useForm({
    schema: ChangePasswordRequest,
    confirm: { confirm_password: "new_password" },
    rules: complaints,
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
