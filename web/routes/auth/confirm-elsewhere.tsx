import { useState } from "react";
import { VerifyRegistrationRequest } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import type { OutputOf } from "../../../contract/endpoints/endpoint.ts";
import { useForm } from "../../components/forms/use-form.ts";
import { useGuessable } from "../../components/forms/use-guessable.ts";
import { Button } from "../../components/ui/button.tsx";
import { Field, PasswordField } from "../../components/ui/input.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { Failure } from "../../components/ui/notice.tsx";
import { call } from "../../lib/api/call.ts";
import { ApiFailure, atPasswordField, failureMessage, isAboutFields } from "../../lib/api/failure.ts";
import { toast } from "../../lib/toast.ts";
import { NewPasswordFields, PageTitle, useFirstField } from "./views.tsx";

interface ConfirmProps {
  readonly token: string;
  /** Gets the server's message. */
  readonly onDone: (done: OutputOf<typeof accounts.verifyRegistration>) => void;
  /** Gets the error of a link that no longer works. */
  readonly onRejected: (error: ApiFailure) => void;
}

interface FormProps extends ConfirmProps {
  readonly onSwitch: () => void;
}

function failedWith({ onRejected }: ConfirmProps) {
  return function failed(error: unknown): string | null {
    if (error instanceof ApiFailure && error.code === "TOKEN_INVALID") {
      onRejected(error);
      return null;
    }
    if (isAboutFields(error)) return null;
    toast.error("Email verification failed.", failureMessage(error, ""));
    return failureMessage(error, "Email verification failed.");
  };
}

function Switch({ children, onClick }: { children: string; onClick: () => void }) {
  return (
    <p className="mt-6 border-t border-line pt-3 text-sm">
      <button type="button" className="text-link inline-flex min-h-11 items-center" onClick={onClick}>
        {children}
      </button>
    </p>
  );
}

function ByPassword(props: FormProps) {
  const { token, onDone, onSwitch } = props;
  const form = useForm({
    schema: VerifyRegistrationRequest,
    body: ({ password }) => ({ token, password }),
    whenFilled: true,
    async submit(body) {
      onDone(await atPasswordField("password", call(accounts.verifyRegistration, body)));
    },
    failed: failedWith(props),
  });
  useFirstField(form.props.ref);
  return (
    <>
      <PageTitle title="Confirm it’s you">
        You registered in a different browser. Enter the password you chose then.
      </PageTitle>
      <form {...form.props} className="space-y-4">
        <PasswordField
          {...form.field("password")}
          label="Password"
          autoComplete="current-password"
          required
          // The server's message suggests it.
          aside={form.errors["password"] && <TextLink to="/forgot-password">Reset password</TextLink>}
        />
        <Failure>{form.problem}</Failure>
        <Button {...form.submitButton} size="lg" className="w-full">
          Verify email
        </Button>
      </form>
      <Switch onClick={onSwitch}>Choose a new password instead</Switch>
    </>
  );
}

function ByNewPassword(props: FormProps) {
  const { token, onDone, onSwitch } = props;
  const guessable = useGuessable();
  const form = useForm({
    schema: VerifyRegistrationRequest,
    body: ({ name, new_password }) => ({ token, name, new_password }),
    confirm: { confirm_password: "new_password" },
    whenFilled: true,
    rules({ name, new_password = "" }) {
      const complaint = guessable(new_password, { name });
      return complaint === null ? {} : { new_password: complaint };
    },
    async submit(body) {
      onDone(await call(accounts.verifyRegistration, body));
    },
    failed: failedWith(props),
  });
  useFirstField(form.props.ref);
  return (
    <>
      <PageTitle title="Choose a new password">
        This replaces the name and password used to register the account.
      </PageTitle>
      <form {...form.props} className="space-y-4">
        <Field {...form.field("name")} label="Full name" autoComplete="name" required />
        <NewPasswordFields form={form} name="new_password" />
        <Failure>{form.problem}</Failure>
        <Button {...form.submitButton} size="lg" className="w-full">
          Verify email
        </Button>
      </form>
      <Switch onClick={onSwitch}>Use the password you registered with</Switch>
    </>
  );
}

/** For a link opened in another browser than the one used to register: a password proves whose registration counts. */
export function ConfirmElsewhere(props: ConfirmProps) {
  const [isNew, setIsNew] = useState(false);
  const Form = isNew ? ByNewPassword : ByPassword;
  return <Form {...props} onSwitch={() => setIsNew(!isNew)} />;
}
