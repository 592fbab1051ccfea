import { useState } from "react";
import { is } from "valibot";
import { VerifyEmailQuery } from "../../../contract/accounts.ts";
import { ButtonLink } from "../../components/ui/button.tsx";
import { DrawnCheck } from "../../components/ui/drawn-check.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { pageMeta } from "../../lib/page-meta.ts";
import { LoginRedirect } from "./login-redirect.tsx";
import { ResetForm } from "./reset-form.tsx";
import { StatusView } from "./status-view.tsx";
import { useLinkToken } from "./use-link-token.ts";

const REDIRECT_AFTER = 1800;

export function meta() {
  return pageMeta({
    title: "Choose a new password · Checkline",
    description: "Choose a new password for your Checkline account, with the link from the mail.",
    path: "/reset-password",
    indexed: false,
  });
}

function InvalidLink({ refused }: { refused: boolean }) {
  return (
    <StatusView
      focused={refused}
      title="Missing or invalid token."
      actions={<ButtonLink to="/forgot-password">Request new link</ButtonLink>}
    >
      <p>
        {refused
          ? "The link has expired, or it has been used already. Reset links work once, for an hour."
          : "The link is not complete. Open it from the mail, or ask for another one."}
      </p>
      {refused && (
        <p>
          If you have just saved a new password, try to <TextLink to="/login">log in</TextLink> with it.
        </p>
      )}
    </StatusView>
  );
}

export default function ResetPassword() {
  const token = useLinkToken();
  const [refused, setRefused] = useState<string>();
  const [done, setDone] = useState<string>();
  if (done !== undefined) {
    return (
      <StatusView focused icon={<DrawnCheck className="-ml-1 size-8 text-signal" />} title="Password saved">
        <p>{done}</p>
        <LoginRedirect after={REDIRECT_AFTER} notice={done} />
      </StatusView>
    );
  }
  if (token !== undefined && !is(VerifyEmailQuery, { token })) return <InvalidLink refused={false} />;
  if (token !== undefined && refused === token) return <InvalidLink refused />;
  return <ResetForm token={token ?? ""} onDone={setDone} onRefused={setRefused} />;
}
