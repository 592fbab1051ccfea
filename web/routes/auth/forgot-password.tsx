import Mail from "lucide-react/icons/mail";
import { useState } from "react";
import { PasswordResetRequest } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { RESET_EMAILS_PER_DAY } from "../../../contract/limits.ts";
import { useForm } from "../../components/forms/use-form.ts";
import { Button, ButtonLink } from "../../components/ui/button.tsx";
import { EmailField } from "../../components/ui/input.tsx";
import { Failure } from "../../components/ui/notice.tsx";
import { call } from "../../lib/api/call.ts";
import { failureMessage } from "../../lib/api/failure.ts";
import { accountPageMeta } from "../../lib/page-meta.ts";
import { toast } from "../../lib/toast.ts";
import { StatusView } from "./status-view.tsx";
import { BackToLogin, PageTitle, SendAgain, useFirstField } from "./views.tsx";

export const meta = () =>
  accountPageMeta(
    "Reset your password",
    "/forgot-password",
    "Request a link by email to reset your Checkline password.",
  );

/** @param onSent gets the requested address */
function RequestForm({ onSent }: { onSent: (email: string) => void }) {
  const form = useForm({
    schema: PasswordResetRequest,
    whenFilled: true,
    async submit(request) {
      await call(accounts.requestPasswordReset, request);
      onSent(request.email);
    },
    failed(error) {
      const problem = failureMessage(error, "Could not send the email");
      toast.error(problem);
      return problem;
    },
  });
  useFirstField(form.props.ref);

  return (
    <>
      <PageTitle title="Reset your password">Enter your email and we’ll send you a reset link.</PageTitle>
      <form {...form.props} className="space-y-4">
        <EmailField {...form.field("email")} autoComplete="username" required />
        <Failure>{form.problem}</Failure>
        <Button {...form.submitButton} size="lg" className="w-full">
          Send link
        </Button>
      </form>
      <BackToLogin />
    </>
  );
}

async function sendAgain(email: string): Promise<string> {
  await call(accounts.requestPasswordReset, { email });
  return "If you have an account, another link is on its way.";
}

export default function ForgotPassword() {
  const [email, setEmail] = useState<string>();
  if (email === undefined) return <RequestForm onSent={setEmail} />;
  return (
    <StatusView
      focused
      icon={<Mail aria-hidden="true" className="size-7 text-muted" strokeWidth={1.25} />}
      title="Check your email"
      actions={<ButtonLink to="/login">Back to login</ButtonLink>}
    >
      <p>
        If an account exists for <strong className="font-medium break-words text-ink">{email}</strong>, a reset link
        will arrive soon. It works once and expires in an hour.
      </p>
      <p>
        Didn’t get it? Check your spam folder and the address above, or{" "}
        <SendAgain send={() => sendAgain(email)}>send it again</SendAgain>.
      </p>
      <p className="text-sm text-muted">We send up to {RESET_EMAILS_PER_DAY} links per day.</p>
    </StatusView>
  );
}
