import { PasswordResetExecuteRequest } from "../../../contract/accounts.ts";
import { MIN_PASSWORD_LENGTH } from "../../../contract/limits.ts";
import type { FormErrors, FormValues } from "../../components/forms/controls.ts";
import { useForm } from "../../components/forms/use-form.ts";
import { Button } from "../../components/ui/button.tsx";
import { PasswordField } from "../../components/ui/input.tsx";
import { executePasswordReset } from "../../lib/api/accounts.ts";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";
import { dropToken } from "../../lib/session/token.ts";
import { toast } from "../../lib/toast.ts";
import { useFirstField } from "./first-field.ts";
import { PageTitle } from "./page-title.tsx";

interface Props {
  readonly token: string;
  /** Gets the server's sentence. */
  readonly onDone: (message: string) => void;
  /** Gets the token that the server did not take. */
  readonly onRefused: (token: string) => void;
}

function tooShort({ new_password = "" }: FormValues): FormErrors {
  return new_password.length < MIN_PASSWORD_LENGTH ? { new_password: `Min ${MIN_PASSWORD_LENGTH} characters` } : {};
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiFailure && (error.code === "TOKEN_INVALID" || Object.hasOwn(error.fields, "token"));
}

export function ResetForm({ token, onDone, onRefused }: Props) {
  const form = useForm({
    schema: PasswordResetExecuteRequest,
    body: ({ new_password }) => ({ token, new_password }),
    confirm: { confirm_password: "new_password" },
    rules: tooShort,
    whenFilled: true,
    async submit(reset) {
      const { message } = await executePasswordReset(reset);
      // The new password has ended every session, and the login page would send anybody on who seems signed in.
      dropToken();
      onDone(message);
    },
    failed(error) {
      if (isRefusal(error)) onRefused(token);
      else toast.error(failureMessage(error, "Failed to reset password"));
    },
  });
  useFirstField(form.props.ref);

  return (
    <>
      <PageTitle title="Choose a new password">
        Saving it signs you out everywhere; log in again with the new one.
      </PageTitle>
      <form {...form.props} className="space-y-5">
        <PasswordField
          {...form.field("new_password")}
          label="New password"
          autoComplete="new-password"
          hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
          minLength={MIN_PASSWORD_LENGTH}
          required
        />
        <PasswordField
          {...form.field("confirm_password")}
          label="Confirm new password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD_LENGTH}
          required
        />
        <Button {...form.submitButton} size="lg" className="w-full">
          Save new password
        </Button>
      </form>
    </>
  );
}
