import { Navigate, useLocation } from "react-router";
import { LoginRequest } from "../../../contract/accounts.ts";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { useForm } from "../../components/forms/use-form.ts";
import { Button } from "../../components/ui/button.tsx";
import { EmailField, PasswordField } from "../../components/ui/input.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { Notice } from "../../components/ui/notice.tsx";
import { call } from "../../lib/api/call.ts";
import { failureMessage } from "../../lib/api/failure.ts";
import { accountPageMeta } from "../../lib/page-meta.ts";
import { storeToken, useSessionToken } from "../../lib/session/token.ts";
import { toast } from "../../lib/toast.ts";
import { noticeIn, returnPath } from "./arrival.ts";
import { PageTitle, useFirstField } from "./views.tsx";

export const meta = () =>
  accountPageMeta("Log in", "/login", "Log in to Checkline to manage your API keys, usage and subscription.");

export default function Login() {
  const token = useSessionToken();
  const { state } = useLocation();
  const form = useForm({
    schema: LoginRequest,
    whenFilled: true,
    async submit(credentials) {
      storeToken((await call(accounts.login, credentials)).token);
      toast.success("Logged in successfully");
    },
    failed: (error) => toast.error("Login error", failureMessage(error, "Não foi possível fazer login.")),
  });
  useFirstField(form.props.ref);
  // Prerendered HTML knows neither of the two.
  const notice = token === undefined ? null : noticeIn(state);
  const signedIn = typeof token === "string";

  return (
    <>
      {signedIn && (
        <Navigate
          to={returnPath(state)}
          replace
          state={notice?.afterLogin && { notice: notice.afterLogin, kind: "ended" }}
        />
      )}
      <PageTitle title="Log in" />
      {notice && (
        <div className="-mt-3 mb-6">
          <Notice kind={notice.kind}>{notice.notice}</Notice>
        </div>
      )}
      <form {...form.props} className="space-y-5">
        <EmailField {...form.field("email")} autoComplete="username" required />
        <PasswordField {...form.field("password")} label="Password" autoComplete="current-password" required />
        <Button {...form.submitButton} busy={form.busy || signedIn} size="lg" className="w-full">
          Log in
        </Button>
      </form>
      <div className="mt-8 flex flex-wrap justify-between gap-x-6 gap-y-1 border-t border-line pt-5 text-sm">
        <TextLink to="/register" className="inline-flex min-h-11 items-center">
          Create account
        </TextLink>
        <TextLink to="/forgot-password" className="inline-flex min-h-11 items-center">
          Forgot your password?
        </TextLink>
      </div>
    </>
  );
}
