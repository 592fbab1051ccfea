import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { Button, ButtonLink } from "../../components/ui/button.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { Spinner } from "../../components/ui/spinner.tsx";
import { pageMeta } from "../../lib/page-meta.ts";
import { LoginRedirect } from "./login-redirect.tsx";
import { StatusView } from "./status-view.tsx";
import { useLinkToken } from "./use-link-token.ts";
import { useVerification } from "./verification.ts";

const REDIRECT_AFTER = 1400;

export function meta() {
  return pageMeta({
    title: "Verify your email · Checkline",
    description: "Verifies the email address of a Checkline account, with the link from the mail.",
    path: "/verify-account",
    indexed: false,
  });
}

function Loading({ retried }: { retried: boolean }) {
  return (
    <StatusView focused={retried} icon={<Spinner className="size-6 text-muted" />} title="Verifying your email..." />
  );
}

function Failed({ message, retry }: { message: string; retry: (() => void) | null }) {
  return (
    <StatusView
      icon={<CircleAlert aria-hidden="true" className="size-7 text-invalid" strokeWidth={1.25} />}
      title="Verification failed."
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
          If you have opened it before, your address may be verified already. Log in to see, or to ask for a new link.
        </p>
      )}
    </StatusView>
  );
}

export default function VerifyAccount() {
  const token = useLinkToken();
  const [verification, ask] = useVerification(token);
  const [retried, setRetried] = useState(false);

  function retry(): void {
    setRetried(true);
    ask();
  }

  function view() {
    // Prerendered: nothing happens yet, and without JavaScript nothing will.
    if (token === undefined) return <StatusView title="Verify your email" />;
    if (token === null) {
      return (
        <StatusView title="Missing token." actions={<ButtonLink to="/login">Sign in</ButtonLink>}>
          <p>The link is not complete. Open it from the mail, or sign in and ask for a new one.</p>
        </StatusView>
      );
    }
    if (verification.state === "loading") return <Loading retried={retried} />;
    if (verification.state === "failed") {
      return <Failed message={verification.message} retry={verification.again ? retry : null} />;
    }
    return (
      <StatusView icon={<DrawnCheck className="-ml-1 size-8 text-signal" />} title="Email verified">
        <p>{verification.message}</p>
        <LoginRedirect after={REDIRECT_AFTER} notice={verification.message} />
      </StatusView>
    );
  }
  // The views come by themselves, so they are read out as they do.
  return <div aria-live="polite">{view()}</div>;
}
