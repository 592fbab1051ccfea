import { accounts } from "../../../contract/endpoints/accounts.ts";
import { RESET_EMAILS_PER_DAY, VERIFICATION_EMAILS_PER_DAY } from "../../../contract/limits.ts";
import { operations } from "../operation.ts";
import { accountView, renameAccount } from "../../accounts/accounts.ts";
import { changePassword } from "../../accounts/change-password.ts";
import { deleteAccount } from "../../administration/delete-account.ts";
import { resendVerification, verifyEmail, verifyRegistration } from "../../accounts/email-verification.ts";
import { executePasswordReset, requestPasswordReset } from "../../accounts/password-reset.ts";
import { register } from "../../accounts/register.ts";
import { logIn } from "../../accounts/log-in.ts";

export const accountRoutes = operations(accounts, {
  login: ({ input, io }) => logIn(io, input),
  async register({ input, io }) {
    await register(io, input);
    return { message: "Check your email to activate your account." };
  },
  async verifyEmail({ input, io }) {
    const { passwordHolds } = await verifyEmail(io, input.token);
    const message = passwordHolds
      ? "Your email address is verified."
      : "Your email address is verified. It was registered more than once, so set a new password before you log in.";
    return { message };
  },
  async verifyRegistration({ input, io }) {
    await verifyRegistration(io, input);
    return { message: "Your email address is verified." };
  },
  async resendVerification({ input, io }) {
    await resendVerification(io, input.email);
    return {
      message: `If this email was used to sign up, it will arrive soon. We send up to ${VERIFICATION_EMAILS_PER_DAY} per day.`,
    };
  },
  async changePassword({ input, io, session }) {
    const passwords = { oldPassword: input.old_password, newPassword: input.new_password };
    return { message: "Password updated", ...(await changePassword(io, session, passwords)) };
  },
  async requestPasswordReset({ input, io }) {
    await requestPasswordReset(io, input.email);
    return {
      message: `If an account exists for this email, a reset link will arrive soon. We send up to ${RESET_EMAILS_PER_DAY} per day.`,
    };
  },
  async executePasswordReset({ input, io }) {
    await executePasswordReset(io, { token: input.token, newPassword: input.new_password });
    return { message: "Your password has been reset. You can now log in." };
  },
  me: ({ session }) => accountView(session.account),
  renameAccount: async ({ input, io, session }) => accountView(await renameAccount(io, session.account.id, input.name)),
  async deleteAccount({ io, session }) {
    await deleteAccount(io, session.account.id);
    return undefined;
  },
});
