import { useEffect, useState } from "react";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import type { OutputOf } from "../../../contract/endpoints/endpoint.ts";
import { Button, ButtonLink, Spinner } from "../../components/ui/button.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { call } from "../../lib/api/call.ts";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";
import { accountPageMeta } from "../../lib/page-meta.ts";
import { useLate } from "../../lib/use-late.ts";
import { readNonce } from "../../lib/registration-nonce.ts";
import { discardSession } from "../../lib/session/on-server.ts";
import { ConfirmElsewhere } from "./confirm-elsewhere.tsx";
import { LoginRedirect, useLinkToken } from "./emailed-link.tsx";
import { StatusView } from "./status-view.tsx";

type Verification =
  | { readonly state: "loading" }
  | { readonly state: "verified"; readonly message: string; readonly email: string }
  /** Registered in another browser: the link waits for a password. */
  | { readonly state: "elsewhere" }
  /** `again` if the token may still be valid: no response, or an unrelated error. */
  | { readonly state: "failed"; readonly message: string; readonly again: boolean };

const LOADING: Verification = { state: "loading" };

/** By token: a repeated call, for example from an effect that React runs twice, gets the first one's result. */
const calls = new Map<string, Promise<Verification>>();

function failed(error: unknown): Verification {
  if (error instanceof ApiFailure && error.code === "REGISTERED_ELSEWHERE") return { state: "elsewhere" };
  const isFinal = error instanceof ApiFailure && error.status < 500 && error.status !== 429;
  return { state: "failed", message: failureMessage(error, "Email verification failed."), again: !isFinal };
}

/** A browser logged in to another account would be redirected past the login page that follows. */
function verified({ message, email }: OutputOf<typeof accounts.verifyRegistration>): Verification {
  discardSession();
  return { state: "verified", message, email };
}

async function verify(token: string): Promise<Verification> {
  try {
    const nonce = readNonce();
    return verified(await call(accounts.verifyRegistration, { token, ...(nonce !== null && { nonce }) }));
  } catch (error) {
    const outcome = failed(error);
    if (outcome.state === "failed" && outcome.again) calls.delete(token);
    return outcome;
  }
}

function verifyOnce(token: string): Promise<Verification> {
  const running = calls.get(token) ?? verify(token);
  calls.set(token, running);
  return running;
}

/**
 * The state of an emailed token's verification, how to retry, and how to report an outcome from elsewhere. `acted` after
 * either: the next view replaces the focused button or field. Sends nothing without a token.
 */
function useVerification(token: string | null | undefined) {
  const [settled, setSettled] = useState<{ of: string; verification: Verification }>();
  const [acted, setActed] = useState(false);

  useEffect(() => {
    async function start(of: string): Promise<void> {
      const verification = await verifyOnce(of);
      setSettled({ of, verification });
    }
    if (token) void start(token);
  }, [token]);

  function settle(of: string, verification: Verification): void {
    setActed(true);
    setSettled({ of, verification });
  }

  async function again(of: string): Promise<void> {
    settle(of, LOADING);
    settle(of, await verifyOnce(of));
  }

  return {
    acted,
    verification: settled !== undefined && settled.of === token ? settled.verification : LOADING,
    retry: () => void (token && again(token)),
    settle: (verification: Verification) => void (token && settle(token, verification)),
  };
}

const REDIRECT_AFTER = 1400;

export const meta = () =>
  accountPageMeta(
    "Verify your email",
    "/verify-account",
    "Verify your Checkline account's email address with the link from the email.",
  );

/** After this long, the page says that it still waits. */
const SLOW_MS = 2000;

function Loading({ focused }: { focused: boolean }) {
  const isSlow = useLate(true, SLOW_MS);
  return (
    <StatusView focused={focused} icon={<Spinner className="size-6 text-muted" />} title="Verifying your email...">
      {isSlow && <p>This is taking longer than usual. Keep this page open.</p>}
    </StatusView>
  );
}

interface FailedProps {
  readonly message: string;
  readonly focused: boolean;
  readonly retry: (() => void) | null;
}

/** Final without `retry`: otherwise nothing has come of the link yet. */
function Failed({ message, focused, retry }: FailedProps) {
  return (
    <StatusView
      failed
      focused={focused}
      title={retry ? "Couldn’t verify yet." : "Verification failed."}
      actions={
        <>
          {retry && <Button onClick={retry}>Try again</Button>}
          <ButtonLink to="/login" variant={retry ? "secondary" : "primary"}>
            Go to Login
          </ButtonLink>
        </>
      }
    >
      <p>{message}</p>
      {!retry && (
        <p>
          If you’ve opened it before, your email may already be verified. Try logging in; if that fails, we’ll offer you
          a new link.
        </p>
      )}
    </StatusView>
  );
}

export default function VerifyAccount() {
  const token = useLinkToken();
  const { verification, acted, retry, settle } = useVerification(token);

  function view() {
    // Prerendered: nothing happens yet, and without JavaScript nothing will.
    if (token === undefined) return <StatusView title="Verify your email" />;
    if (token === null) {
      return (
        <StatusView failed title="Missing token." actions={<ButtonLink to="/login">Log in</ButtonLink>}>
          <p>This link is incomplete. Open it from the email, or try logging in, and we’ll offer you a new one.</p>
        </StatusView>
      );
    }
    switch (verification.state) {
      case "loading":
        return <Loading focused={acted} />;
      case "elsewhere":
        return (
          <ConfirmElsewhere
            token={token}
            onDone={(done) => settle(verified(done))}
            onRejected={(error) => settle(failed(error))}
          />
        );
      case "failed":
        return <Failed message={verification.message} focused={acted} retry={verification.again ? retry : null} />;
      case "verified":
        return (
          <StatusView focused={acted} icon={<DrawnCheck className="-ml-1 size-8 text-signal" />} title="Email verified">
            <p>{verification.message}</p>
            <LoginRedirect after={REDIRECT_AFTER} notice={verification.message} email={verification.email} />
          </StatusView>
        );
    }
  }
  // The first views appear without a click, so they're announced.
  return <div aria-live="polite">{view()}</div>;
}
