import { useState } from "react";
import { Link } from "react-router";
import { is } from "valibot";
import { ConfirmEmailChangeRequest } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { EMAIL_TOKEN_HOURS } from "../../../contract/limits.ts";
import { PasswordDialog } from "../../components/forms/password-dialog.tsx";
import { ButtonLink, buttonClass } from "../../components/ui/button.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { call } from "../../lib/api/call.ts";
import type { ApiFailure } from "../../lib/api/failure.ts";
import { accountPageMeta } from "../../lib/page-meta.ts";
import { useSessionToken } from "../../lib/session/token.ts";
import { useLinkToken } from "./emailed-link.tsx";
import { LinkAction } from "./link-action.tsx";
import { StatusView } from "./status-view.tsx";

const PATH = "/confirm-email";
const TITLE = "Confirm your new email";

export const meta = () =>
  accountPageMeta(TITLE, PATH, "Confirm your Checkline account's new email address with the link from the email.");

const settings = <ButtonLink to="/dashboard/settings">Go to settings</ButtonLink>;

function Rejected({ error, focused }: { error: ApiFailure | null; focused: boolean }) {
  return (
    <StatusView failed focused={focused} title="Email not changed." actions={settings}>
      <p>{error?.message ?? "This link is incomplete. Open it from the email, or send a new one from Settings."}</p>
      {error?.code === "TOKEN_INVALID" && (
        <p>
          Only the newest link works. If you’re logged in to another account, log out there and open the link again.
        </p>
      )}
    </StatusView>
  );
}

/** Changes nothing without a session of the account: the mailbox alone isn't enough. */
export default function ConfirmEmail() {
  const token = useLinkToken();
  const session = useSessionToken();
  const [rejected, setRejected] = useState<{ readonly token: string; readonly error: ApiFailure }>();
  const [email, setEmail] = useState<string>();

  if (email !== undefined) {
    return (
      <StatusView
        focused
        icon={<DrawnCheck className="-ml-1 size-8 text-signal" />}
        title="Email changed"
        actions={settings}
      >
        <p>
          From now on, log in with <strong className="font-medium break-words text-ink">{email}</strong>. Your other
          sessions were logged out.
        </p>
        <p>We’ve emailed your previous address, which can undo this for {EMAIL_TOKEN_HOURS.undo_email_change} hours.</p>
      </StatusView>
    );
  }
  if (token !== undefined && !is(ConfirmEmailChangeRequest, { token }))
    return <Rejected error={null} focused={false} />;
  if (token && rejected?.token === token) return <Rejected error={rejected.error} focused />;
  if (token && session === null) {
    const from = { pathname: PATH, search: `?token=${encodeURIComponent(token)}` };
    return (
      <StatusView
        title={TITLE}
        actions={
          <Link to="/login" state={{ from }} className={buttonClass()}>
            Log in
          </Link>
        }
      >
        <p>Log in to the account first, with its current address. We’ll bring you back here.</p>
        <p>If you didn’t ask for this, close this page. Nothing changes.</p>
      </StatusView>
    );
  }
  return (
    <>
      <LinkAction
        title={TITLE}
        button="Change email"
        act={token ? async () => setEmail((await call(accounts.confirmEmailChange, { token })).email) : null}
        onRejected={(error) => token && setRejected({ token, error })}
      >
        <p>
          You’ll log in with the address that got this link. All other sessions are logged out; your API keys keep
          working.
        </p>
      </LinkAction>
      <PasswordDialog />
    </>
  );
}
