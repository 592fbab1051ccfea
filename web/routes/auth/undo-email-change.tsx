import { useState } from "react";
import { is } from "valibot";
import { UndoEmailChangeRequest } from "../../../contract/accounts.ts";
import type { EmailChangeUndone } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { EMAIL_TOKEN_HOURS, UNDO_DAYS } from "../../../contract/limits.ts";
import { ButtonLink } from "../../components/ui/button.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { CONTACT, mailto } from "../../content/contact.ts";
import { call } from "../../lib/api/call.ts";
import type { ApiFailure } from "../../lib/api/failure.ts";
import { accountPageMeta } from "../../lib/page-meta.ts";
import { discardSession } from "../../lib/session/on-server.ts";
import { keyHint } from "../dashboard/keys/key-words.ts";
import { useLinkToken } from "./emailed-link.tsx";
import { LinkAction } from "./link-action.tsx";
import { StatusView } from "./status-view.tsx";

const TITLE = "Undo the email change";

export const meta = () =>
  accountPageMeta(TITLE, "/undo-email-change", "Get your Checkline account back to its previous email address.");

function Rejected({ error, focused }: { error: ApiFailure | null; focused: boolean }) {
  return (
    <StatusView
      failed
      focused={focused}
      title="Change not undone."
      actions={<ButtonLink to="/login">Go to login</ButtonLink>}
    >
      <p>{error?.message ?? "This link is incomplete. Open it from the email."}</p>
      {error?.code === "TOKEN_INVALID" && (
        <p>
          It works once, for {EMAIL_TOKEN_HOURS.undo_email_change} hours. If someone else has your account, write to{" "}
          <a href={mailto(CONTACT.security)} className="text-link text-ink">
            {CONTACT.security}
          </a>
          .
        </p>
      )}
    </StatusView>
  );
}

/** Keys that may now allow more than their owner wants. Only a session can revoke them. */
function ChangedKeys({ keys }: { keys: EmailChangeUndone["keys_with_changed_limits"] }) {
  if (keys.length === 0) return null;
  return (
    <>
      <p>These keys still work, but their monthly cap or allowed origins changed:</p>
      <ul className="list-disc space-y-1 pl-5">
        {keys.map((key) => (
          <li key={`${key.mode} ${key.hint}`}>
            <span className="wrap-anywhere text-ink">{key.name}</span>{" "}
            <code className="font-mono text-sm whitespace-nowrap">{keyHint(key)}</code>
          </li>
        ))}
      </ul>
      <p>
        Once you’ve set a new password and logged in, we show you your keys, with these marked, and you can revoke them
        together. To keep one, set its limits again with Manage; Settings lists what they were.
      </p>
    </>
  );
}

/** For the previous address. Needs no session: the person who changed the address may have the password. */
export default function UndoEmailChange() {
  const token = useLinkToken();
  const [rejected, setRejected] = useState<{ readonly token: string; readonly error: ApiFailure }>();
  const [done, setDone] = useState<EmailChangeUndone>();

  if (done !== undefined) {
    return (
      <StatusView
        focused
        icon={<DrawnCheck className="-ml-1 size-8" />}
        title="Change undone"
        actions={
          <ButtonLink to="/forgot-password" variant="secondary">
            No email? Request another
          </ButtonLink>
        }
      >
        <p>{done.message} The old password no longer works.</p>
        <p>
          API keys and second factors added since the change, or in up to {UNDO_DAYS} days before it, no longer work.
          Names, keys that were revoked, and second factors that were removed aren’t restored. After you log in, review
          the rest in the dashboard.
        </p>
        <ChangedKeys keys={done.keys_with_changed_limits} />
      </StatusView>
    );
  }
  if (token !== undefined && !is(UndoEmailChangeRequest, { token })) return <Rejected error={null} focused={false} />;
  if (token && rejected?.token === token) return <Rejected error={rejected.error} focused />;

  async function undo(spent: string): Promise<void> {
    const result = await call(accounts.undoEmailChange, { token: spent });
    // Its sessions have ended, and the login page redirects visitors who seem logged in.
    discardSession();
    setDone(result);
  }

  return (
    <LinkAction
      title={TITLE}
      button="Undo the change"
      act={token ? () => undo(token) : null}
      onRejected={(error) => token && setRejected({ token, error })}
    >
      <p>Do this if you didn’t change your account’s email address:</p>
      <ul className="list-disc space-y-1 pl-5">
        <li>The account gets its previous address back, the one that got this link.</li>
        <li>Everyone is logged out, and the password stops working. We email you a link to set a new one.</li>
        <li>
          API keys, authenticator apps, passkeys, and recovery codes stop working if they were added since the change,
          or since someone logged in up to {UNDO_DAYS} days before it. Older ones keep working.
        </li>
        <li>Names, keys that were revoked, and second factors that were removed aren’t restored.</li>
      </ul>
    </LinkAction>
  );
}
