import { useEffect, useState } from "react";
import { ConfirmPasswordRequest } from "../../../contract/accounts.ts";
import { sessions } from "../../../contract/endpoints/sessions.ts";
import { useForm } from "./use-form.ts";
import { Button } from "../ui/button.tsx";
import { AlertDialog, FormActions } from "../ui/dialog.tsx";
import { PasswordField } from "../ui/input.tsx";
import { call } from "../../lib/api/call.ts";
import { atPasswordField } from "../../lib/api/failure.ts";
import { renewing } from "../../lib/session/on-server.ts";
import { provideQuestion } from "../../lib/session/password-prompt.ts";
import { toastFormFailure } from "../../lib/toast-failure.ts";

type Settle = (given: boolean) => void;

function PasswordForm({ email, onGiven }: { email: string | undefined; onGiven: () => void }) {
  const form = useForm({
    schema: ConfirmPasswordRequest,
    async submit(body) {
      await atPasswordField("password", renewing(call(sessions.confirmPassword, body, { renews: true })));
      onGiven();
    },
    failed: (error) => toastFormFailure("Couldn’t check the password", error),
  });
  return (
    <form {...form.props}>
      {/* For password managers, to identify the account. */}
      {email !== undefined && (
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      )}
      <PasswordField {...form.field("password")} label="Password" autoComplete="current-password" required />
      <FormActions cancel={<Button variant="secondary">Cancel</Button>}>
        <Button {...form.submitButton}>Continue</Button>
      </FormActions>
    </form>
  );
}

/**
 * Asks for the password when a call requires it again. The call is then repeated: see `request` in lib/api/call.ts.
 * @param email the account's, if the page knows it
 */
export function PasswordDialog({ email }: { email?: string }) {
  const [settle, setSettle] = useState<Settle | null>(null);
  useEffect(() => {
    let unanswered: Settle | null = null;
    const takeBack = provideQuestion(
      () =>
        new Promise<boolean>((resolve) => {
          unanswered = resolve;
          setSettle(() => resolve);
        }),
    );
    return () => {
      takeBack();
      // The session ended while it was open.
      unanswered?.(false);
    };
  }, []);
  function answer(given: boolean): void {
    settle?.(given);
    setSettle(null);
  }
  return (
    <AlertDialog
      open={settle !== null}
      onOpenChange={(open) => !open && answer(false)}
      title="Enter your password"
      description="For your security, confirm your password to continue."
    >
      <PasswordForm email={email} onGiven={() => answer(true)} />
    </AlertDialog>
  );
}
