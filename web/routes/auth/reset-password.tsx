import { useState } from "react";
import { is } from "valibot";
import { PasswordResetExecuteRequest, VerifyEmailQuery } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { MIN_PASSWORD_LENGTH } from "../../../contract/limits.ts";
import { useForm } from "../../components/forms/use-form.ts";
import type { FormErrors, FormValues } from "../../components/forms/use-form.ts";
import { useGuessable } from "../../components/forms/use-guessable.ts";
import { Button, ButtonLink } from "../../components/ui/button.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { Failure } from "../../components/ui/notice.tsx";
import { call } from "../../lib/api/call.ts";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";
import { accountPageMeta } from "../../lib/page-meta.ts";
import { discardSession } from "../../lib/session/on-server.ts";
import { toast } from "../../lib/toast.ts";
import { LoginRedirect, useLinkToken } from "./emailed-link.tsx";
import { StatusView } from "./status-view.tsx";
import { BackToLogin, NewPasswordFields, PageTitle, useFirstField } from "./views.tsx";

interface ResetFormProps {
  readonly token: string;
  /** Gets the server's message. */
  readonly onDone: (message: string) => void;
  /** Gets the token that the server rejected. */
  readonly onRejected: (token: string) => void;
}

/** @param guessable the problem with an easily guessed password */
function complaints({ new_password = "" }: FormValues, guessable: string | null): FormErrors {
  const isShort = Array.from(new_password).length < MIN_PASSWORD_LENGTH;
  const complaint = isShort ? `Min ${MIN_PASSWORD_LENGTH} characters` : guessable;
  return complaint === null ? {} : { new_password: complaint };
}

function isRejection(error: unknown): boolean {
  return error instanceof ApiFailure && (error.code === "TOKEN_INVALID" || Object.hasOwn(error.fields, "token"));
}

function ResetForm({ token, onDone, onRejected }: ResetFormProps) {
  const guessable = useGuessable();
  const form = useForm({
    schema: PasswordResetExecuteRequest,
    body: ({ new_password }) => ({ token, new_password }),
    confirm: { confirm_password: "new_password" },
    rules: (values) => complaints(values, guessable(values["new_password"] ?? "", {})),
    whenFilled: true,
    async submit(reset) {
      const { message } = await call(accounts.executePasswordReset, reset);
      // The new password has ended every session, and the login page redirects visitors who seem logged in.
      discardSession();
      onDone(message);
    },
    failed(error) {
      if (isRejection(error)) {
        onRejected(token);
        return null;
      }
      // Problems with the address, for example, which this page does not know: shown at the field.
      if (error instanceof ApiFailure && Object.hasOwn(error.fields, "new_password")) return null;
      const problem = failureMessage(error, "Failed to reset password");
      toast.error(problem);
      return problem;
    },
  });
  useFirstField(form.props.ref);

  return (
    <>
      <PageTitle title="Choose a new password">
        This logs you out everywhere. Then log in with the new password.
      </PageTitle>
      <form {...form.props} className="space-y-4">
        <NewPasswordFields form={form} name="new_password" minLength={MIN_PASSWORD_LENGTH} />
        <Failure>{form.problem}</Failure>
        <Button {...form.submitButton} size="lg" className="w-full">
          Save new password
        </Button>
      </form>
      <BackToLogin />
    </>
  );
}

const REDIRECT_AFTER = 1800;

export const meta = () =>
  accountPageMeta("Choose a new password", "/reset-password", "Choose a new password for your Checkline account.");

function InvalidLink({ rejected }: { rejected: boolean }) {
  return (
    <StatusView
      failed
      focused={rejected}
      title="Missing or invalid token."
      actions={
        <>
          <ButtonLink to="/forgot-password">Request new link</ButtonLink>
          <ButtonLink to="/login" variant="secondary">
            Back to login
          </ButtonLink>
        </>
      }
    >
      <p>
        {rejected
          ? "The link has expired or was already used. Reset links work once, within an hour."
          : "This link is incomplete. Open it from the email, or request a new one."}
      </p>
      {rejected && <p>Already saved a new password? Log in with it.</p>}
    </StatusView>
  );
}

export default function ResetPassword() {
  const token = useLinkToken();
  const [rejected, setRejected] = useState<string>();
  const [done, setDone] = useState<string>();
  if (done !== undefined) {
    return (
      <StatusView focused icon={<DrawnCheck className="-ml-1 size-8" />} title="Password saved">
        <p>{done}</p>
        <LoginRedirect after={REDIRECT_AFTER} notice={done} reviewKeys />
      </StatusView>
    );
  }
  if (token !== undefined && !is(VerifyEmailQuery, { token })) return <InvalidLink rejected={false} />;
  if (token !== undefined && rejected === token) return <InvalidLink rejected />;
  return <ResetForm token={token ?? ""} onDone={setDone} onRejected={setRejected} />;
}
