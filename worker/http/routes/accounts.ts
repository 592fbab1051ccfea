import { accounts } from "../../../contract/endpoints/accounts.ts";
import { RESET_EMAILS_PER_DAY, VERIFICATION_EMAILS_PER_DAY } from "../../../contract/limits.ts";
import { operations } from "../operation.ts";
import { accountView } from "../../accounts/accounts.ts";
import { changePassword } from "../../accounts/change-password.ts";
import { deleteAccount } from "../../administration/delete-account.ts";
import { confirmEmailChange, undoEmailChange } from "../../administration/move-account.ts";
import { cancelEmailChange, requestEmailChange } from "../../accounts/email-change.ts";
import { resendVerification, verifyEmail, verifyRegistration } from "../../accounts/email-verification.ts";
import { executePasswordReset, requestPasswordReset } from "../../accounts/password-reset.ts";
import { renameAccount } from "../../accounts/rename-account.ts";
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
    return { message: "Your email address is verified.", ...(await verifyRegistration(io, input)) };
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
  me: ({ io, session }) => accountView(io, session.account),
  renameAccount: async ({ input, io, session }) => accountView(io, await renameAccount(io, session, input.name)),
  async requestEmailChange({ input, io, session }) {
    await requestEmailChange(io, session, input.email);
    return accountView(io, session.account);
  },
  async cancelEmailChange({ io, session }) {
    await cancelEmailChange(io, session);
    return accountView(io, session.account);
  },
  confirmEmailChange: async ({ input, io, session }) =>
    accountView(io, await confirmEmailChange(io, session, input.token)),
  async undoEmailChange({ input, io }) {
    const keys = await undoEmailChange(io, input.token);
    return {
      message: "Your account has this email address again. We're sending you a link to set a new password.",
      keys_with_changed_limits: keys,
    };
  },
  async deleteAccount({ io, session }) {
    await deleteAccount(io, session, session.account);
    return undefined;
  },
});
