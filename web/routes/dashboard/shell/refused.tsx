import { Logo } from "../../../components/brand/logo.tsx";
import { Button, ButtonLink } from "../../../components/ui/button.tsx";
import { CONTACT, mailto } from "../../../content/contact.ts";
import { failureMessage } from "../../../lib/api/failure.ts";
import { logOut } from "./log-out.ts";

export interface RefusedProps {
  error: Error;
  isSuspended: boolean;
  isRetrying: boolean;
  onRetry: () => void;
}

/** There is a session, and still the account could not be read: it was suspended, or nobody could be asked. */
export function Refused({ error, isSuspended, isRetrying, onRetry }: RefusedProps) {
  return (
    <div className="page-width flex min-h-dvh flex-col">
      <header className="flex h-16 items-center">
        <Logo />
      </header>
      <main className="flex flex-1 flex-col justify-center py-16">
        <div role="alert" className="max-w-[38rem]">
          <h1 className="text-title">
            {isSuspended ? "Your account is suspended" : "Your account could not be loaded"}
          </h1>
          <p className="mt-5 text-lead text-soft">
            {failureMessage(error, "Something went wrong. Try again in a moment.")}{" "}
            {isSuspended
              ? "Its keys do not work until it is restored. If you think this is a mistake, write to us."
              : "You are still signed in."}
          </p>
        </div>
        <div className="mt-8 flex flex-wrap gap-3">
          {isSuspended ? (
            <ButtonLink to={mailto(CONTACT.support, "Suspended account")}>Write to support</ButtonLink>
          ) : (
            <Button busy={isRetrying} onClick={onRetry}>
              Try again
            </Button>
          )}
          <Button variant="secondary" onClick={logOut}>
            Log out
          </Button>
        </div>
      </main>
    </div>
  );
}
