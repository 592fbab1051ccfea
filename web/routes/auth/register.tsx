import Mail from "lucide-react/icons/mail";
import { useState } from "react";
import { RegisterRequest } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../../contract/limits.ts";
import { TRIAL } from "../../../contract/plans.ts";
import { useForm } from "../../components/forms/use-form.ts";
import { useGuessable } from "../../components/forms/use-guessable.ts";
import { Button, ButtonLink } from "../../components/ui/button.tsx";
import { EmailField, Field } from "../../components/ui/input.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { Failure } from "../../components/ui/notice.tsx";
import { call } from "../../lib/api/call.ts";
import { failureMessage } from "../../lib/api/failure.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { makeVerifier } from "../../lib/registration-nonce.ts";
import { toast } from "../../lib/toast.ts";
import { StatusView } from "./status-view.tsx";
import { NewPasswordFields, PageTitle, resendVerification, SendAgain, useFirstField } from "./views.tsx";

/** @param onDone gets the address that was registered */
function RegisterForm({ onDone }: { onDone: (email: string) => void }) {
  const guessable = useGuessable();
  const form = useForm({
    schema: RegisterRequest,
    confirm: { confirm_password: "password" },
    whenFilled: true,
    rules({ password = "", email, name }) {
      const complaint = guessable(password, { email: email?.trim(), name });
      return complaint === null ? {} : { password: complaint };
    },
    async submit(registration) {
      await call(accounts.register, { ...registration, ...(await makeVerifier()) });
      onDone(registration.email);
      toast.success("Account created successfully", "Check your email to activate your account.");
    },
    failed(error) {
      toast.error("Registration error", failureMessage(error, "Não foi possível criar a conta."));
      return failureMessage(error, "We couldn’t create your account. Try again in a moment.");
    },
  });
  useFirstField(form.props.ref);

  return (
    <>
      <PageTitle title="Create account">Free for {TRIAL.days} days, no credit card required.</PageTitle>
      <form {...form.props} className="space-y-4">
        <Field {...form.field("name")} label="Full name" autoComplete="name" required />
        <EmailField {...form.field("email")} autoComplete="email" required />
        <NewPasswordFields form={form} name="password" />
        <Failure>{form.problem}</Failure>
        <Button {...form.submitButton} size="lg" className="w-full">
          Create account
        </Button>
      </form>
      <p className="mt-3 text-sm text-muted">
        By creating an account, you agree to our <TextLink to="/terms">terms of service</TextLink>. See the{" "}
        <TextLink to="/policy">privacy policy</TextLink> for what we store.
      </p>
      <p className="mt-4 border-t border-line pt-3 text-sm text-muted">
        Already have an account?{" "}
        <TextLink to="/login" className="inline-flex min-h-11 items-center text-ink">
          Log in
        </TextLink>
      </p>
    </>
  );
}

const INBOXES: Readonly<Record<string, readonly [name: string, address: string]>> = {
  "gmail.com": ["Gmail", "https://mail.google.com"],
  "outlook.com": ["Outlook", "https://outlook.live.com"],
  "hotmail.com": ["Outlook", "https://outlook.live.com"],
  "yahoo.com": ["Yahoo Mail", "https://mail.yahoo.com"],
};

/** The way to the email, for a mailbox in the browser, else on to the login. */
function InboxLink({ email }: { email: string }) {
  const inbox = INBOXES[email.slice(email.lastIndexOf("@") + 1).toLowerCase()];
  if (inbox === undefined)
    return (
      <ButtonLink to="/login" variant="secondary">
        Go to login
      </ButtonLink>
    );
  const [name, address] = inbox;
  return <ButtonLink to={address}>Open {name}</ButtonLink>;
}

export const meta = () =>
  pageMeta({
    title: "Create account · Checkline",
    description: "Create a Checkline account and start the free trial of the phone number verification API.",
    path: "/register",
  });

export default function Register() {
  const [email, setEmail] = useState<string>();
  if (email === undefined) return <RegisterForm onDone={setEmail} />;
  return (
    <StatusView
      focused
      icon={<Mail aria-hidden="true" className="size-7 text-muted" strokeWidth={1.25} />}
      title="Account created"
      actions={<InboxLink email={email} />}
    >
      <p>
        Open the link we sent to <strong className="font-medium break-words text-ink">{email}</strong> within{" "}
        {EMAIL_TOKEN_HOURS.verify_email} hours.
      </p>
      <p>
        Didn’t get it? Check your spam folder and the address above.{" "}
        <SendAgain send={() => resendVerification(email)}>Send it again</SendAgain>
      </p>
      <p className="text-sm text-muted">
        Already registered? Your account hasn’t changed, and the email says how to log in.
      </p>
    </StatusView>
  );
}
