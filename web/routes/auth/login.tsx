import { useState } from "react";
import { flushSync } from "react-dom";
import { Navigate, useLocation } from "react-router";
import { LoginRequest } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import type { SecondFactorChallenge } from "../../../contract/second-factor.ts";
import { useForm } from "../../components/forms/use-form.ts";
import { TRIAL } from "../../../contract/plans.ts";
import { Button, ButtonLink } from "../../components/ui/button.tsx";
import { EmailField, PasswordField } from "../../components/ui/input.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { Failure, Notice } from "../../components/ui/notice.tsx";
import { call } from "../../lib/api/call.ts";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";
import { pageMeta } from "../../lib/page-meta.ts";
import { storeToken, useSessionToken } from "../../lib/session/token.ts";
import { toast } from "../../lib/toast.ts";
import { emailIn, isNewHere, noticeIn, returnPath } from "./location-state.ts";
import { SecondStep } from "./second-step.tsx";
import { PageTitle, resendVerification, SendAgain, useFirstField } from "./views.tsx";

export const meta = () =>
  pageMeta({
    title: "Log in to Checkline",
    description: "Log in to Checkline to manage your API keys, usage, and subscription.",
    path: "/login",
  });

function enter(token: string): void {
  storeToken(token);
  toast.success("Logged in successfully");
}

/** The way to an account: below the form, or `first` for a newcomer. */
function NewHere({ first = false }: { first?: boolean }) {
  const offer = `Free for ${TRIAL.days} days, no credit card. Your first verified number takes five minutes.`;
  const link = (
    <ButtonLink to="/register" variant={first ? "primary" : "secondary"} size="lg" className="w-full">
      Create account
    </ButtonLink>
  );
  if (first) {
    return (
      <div className="mb-6 border-b border-line pb-6">
        <PageTitle title="Get started">{offer}</PageTitle>
        {link}
      </div>
    );
  }
  return (
    <section aria-labelledby="new-here" className="mt-3 border-t border-line pt-5">
      <h2 id="new-here" className="text-lg">
        New to Checkline?
      </h2>
      <p className="mt-1 mb-3 text-soft">{offer}</p>
      {link}
    </section>
  );
}

export default function Login() {
  const token = useSessionToken();
  const { state } = useLocation();
  const [step, setStep] = useState<SecondFactorChallenge | null>(null);
  /** The address of the last login if it was rejected: it may not be verified yet. */
  const [rejected, setRejected] = useState<string | null>(null);
  const form = useForm({
    schema: LoginRequest,
    whenFilled: true,
    async submit(credentials) {
      setRejected(null);
      try {
        enter((await call(accounts.login, credentials)).token);
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        if (error.code === "INVALID_CREDENTIALS") setRejected(credentials.email);
        if (error.secondFactor === undefined) throw error;
        setStep(error.secondFactor);
      }
    },
    failed(error) {
      toast.error("Login error", failureMessage(error, "Não foi possível fazer login."));
      return failureMessage(error, "We couldn’t log you in. Try again in a moment.");
    },
  });
  const { ref } = form.props;
  // Unknown in prerendered HTML.
  const email = token === undefined ? undefined : emailIn(state);
  const isNew = token !== undefined && isNewHere(state);
  useFirstField(ref, !isNew);

  function goBack(): void {
    flushSync(() => setStep(null));
    ref.current?.querySelector("input")?.focus();
  }

  const notice = token === undefined ? null : noticeIn(state);
  const signedIn = typeof token === "string";

  return (
    <>
      {signedIn && (
        <Navigate to={returnPath(state)} replace state={notice?.reviewKeys === true ? { reviewKeys: true } : null} />
      )}
      {step !== null && <SecondStep key={step.challenge} step={step} busy={signedIn} onDone={enter} onBack={goBack} />}
      {/* Hidden, not removed: what was typed is still there on the way back. */}
      <div hidden={step !== null}>
        {isNew && <NewHere first />}
        {isNew ? <h2 className="mb-4 text-lg">Already have an account?</h2> : <PageTitle title="Log in" />}
        {notice && (
          <div className="-mt-2 mb-5">
            <Notice kind={notice.kind}>{notice.notice}</Notice>
          </div>
        )}
        <form {...form.props} className="space-y-4">
          <EmailField {...form.field("email")} key={email} defaultValue={email} autoComplete="username" required />
          <PasswordField {...form.field("password")} label="Password" autoComplete="current-password" required />
          <Failure>
            {form.problem && rejected !== null && notice === null ? (
              <>
                We couldn’t log you in. Check your email and password. New here? Open the link we emailed you, or{" "}
                <SendAgain send={() => resendVerification(rejected)}>get a new one</SendAgain>.
              </>
            ) : (
              form.problem
            )}
          </Failure>
          <Button
            {...form.submitButton}
            variant={isNew ? "secondary" : "primary"}
            busy={form.busy || signedIn}
            size="lg"
            className="w-full"
          >
            Log in
          </Button>
        </form>
        <TextLink to="/forgot-password" className="mt-1 inline-flex min-h-11 items-center text-sm">
          Forgot your password?
        </TextLink>
        {!isNew && <NewHere />}
      </div>
    </>
  );
}
