import { useEffect, useEffectEvent, useRef, useState } from "react";
import { secondFactor } from "../../../contract/endpoints/second-factor.ts";
import { SecondFactorRequest } from "../../../contract/second-factor.ts";
import type { SecondFactorChallenge } from "../../../contract/second-factor.ts";
import { CodeField } from "../../components/forms/code-field.tsx";
import { useForm } from "../../components/forms/use-form.ts";
import { Button } from "../../components/ui/button.tsx";
import { Field } from "../../components/ui/input.tsx";
import { Failure } from "../../components/ui/notice.tsx";
import { call } from "../../lib/api/call.ts";
import { ApiFailure, atCodeField, failureMessage, isAboutFields } from "../../lib/api/failure.ts";
import { PasskeyFailure, provePasskey } from "../../lib/passkey.ts";
import { toast } from "../../lib/toast.ts";
import { useAction } from "../../lib/use-action.ts";
import { PageTitle } from "./views.tsx";

type Method = "app" | "passkey" | "recovery";

interface StepProps {
  readonly step: SecondFactorChallenge;
  /** Whether the login is done and the page is about to change. */
  readonly busy: boolean;
  /** Gets the token of the new session. */
  readonly onDone: (token: string) => void;
  /** Back to email and password. */
  readonly onBack: () => void;
}

const OFFERS: Readonly<Record<Method, string>> = {
  app: "Use your authenticator app",
  passkey: "Use a passkey",
  recovery: "Use a recovery code",
};

function failedWith({ onBack }: StepProps) {
  return function failed(error: unknown): string | null {
    if (isAboutFields(error)) return null;
    const text = error instanceof PasskeyFailure ? error.message : failureMessage(error, "Try again in a moment.");
    toast.error("Login error", text);
    if (error instanceof ApiFailure && error.code === "CHALLENGE_INVALID") onBack();
    return text;
  };
}

function ByCode({ method, ...props }: StepProps & { method: Exclude<Method, "passkey"> }) {
  const { step, busy, onDone } = props;
  const isApp = method === "app";
  const form = useForm({
    schema: SecondFactorRequest,
    body: ({ code }) => ({ challenge: step.challenge, code }),
    whenFilled: true,
    async submit(body) {
      onDone((await atCodeField(call(secondFactor.logInWithSecondFactor, body))).token);
    },
    failed: failedWith(props),
  });
  const { ref } = form.props;
  // It has replaced the focused element.
  useEffect(() => ref.current?.querySelector("input")?.focus(), [ref]);
  return (
    <form {...form.props} className="space-y-4">
      {isApp ? (
        <CodeField {...form.field("code")} label="Code" />
      ) : (
        <Field
          {...form.field("code")}
          label="Recovery code"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          mono
          required
        />
      )}
      <Failure>{form.problem}</Failure>
      <Button {...form.submitButton} busy={form.busy || busy} size="lg" className="w-full">
        Log in
      </Button>
    </form>
  );
}

/** `asked`: the user has just chosen it, so the browser's prompt opens at once. */
function ByPasskey({ asked, ...props }: StepProps & { asked: boolean }) {
  const { step, onDone } = props;
  const action = useAction(failedWith(props));
  const button = useRef<HTMLButtonElement>(null);
  async function prove(): Promise<void> {
    const passkey = await provePasskey(step.passkey_options ?? {});
    onDone((await call(secondFactor.logInWithSecondFactor, { challenge: step.challenge, passkey })).token);
  }
  const start = useEffectEvent(() => {
    button.current?.focus();
    if (asked) action.run(prove);
  });
  useEffect(() => start(), []);
  return (
    <div className="space-y-4">
      <Failure>{action.problem}</Failure>
      <Button
        ref={button}
        size="lg"
        className="w-full"
        busy={action.busy || props.busy}
        onClick={() => action.run(prove)}
      >
        Use a passkey
      </Button>
    </div>
  );
}

const TEXTS: Readonly<Record<Method, string>> = {
  app: "Enter the code from your authenticator app.",
  passkey: "Your browser will ask for your passkey.",
  recovery: "Enter one of your recovery codes. Each one works once.",
};

/** The second step of a login: an app's code, a passkey, or a recovery code. */
export function SecondStep(props: StepProps) {
  const { step, onBack } = props;
  const methods: Method[] = [
    ...(step.totp ? (["app"] as const) : []),
    ...(step.passkey_options === null ? [] : (["passkey"] as const)),
    "recovery",
  ];
  const [method, setMethod] = useState<Method>(methods[0]!);
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <PageTitle title="Two-factor authentication">{TEXTS[method]}</PageTitle>
      {method === "passkey" ? (
        <ByPasskey {...props} asked={isAsked} />
      ) : (
        <ByCode key={method} {...props} method={method} />
      )}
      <div className="mt-6 flex flex-col items-start border-t border-line pt-3 text-sm">
        {methods
          .filter((other) => other !== method)
          .map((other) => (
            <button
              key={other}
              type="button"
              className="text-link inline-flex min-h-11 items-center"
              onClick={() => {
                setAsked(true);
                setMethod(other);
              }}
            >
              {OFFERS[other]}
            </button>
          ))}
        <button type="button" className="text-link inline-flex min-h-11 items-center" onClick={onBack}>
          Back to password
        </button>
      </div>
    </>
  );
}
