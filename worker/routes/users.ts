import { Hono } from "hono";
import {
  ChangePasswordRequest,
  PasswordResetExecuteRequest,
  PasswordResetRequest,
  RegisterRequest,
  VerifyEmailQuery,
} from "../../contract/accounts.ts";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { changePassword } from "../accounts/change-password.ts";
import { resendVerification, verifyEmail } from "../accounts/email-verification.ts";
import { executePasswordReset, requestPasswordReset } from "../accounts/password-reset.ts";
import { register } from "../accounts/register.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { backstop, limitAddress, mayMail } from "../http/attempt-limits.ts";
import { limitBody, readBody, readQuery } from "../http/body.ts";
import { ApiError } from "../api-error.ts";
import { clientAddress } from "../http/client-address.ts";
import { requireMail } from "../http/mail.ts";
import { requireSession } from "../http/session.ts";
import { attemptSubject, mark } from "../limits/attempts.ts";
import { ATTEMPT_RULES, KNOWN_ADDRESS } from "../limits/rules.ts";

const body = limitBody(MAX_BODY_BYTES);

export const userRoutes = new Hono<AppEnv>()
  .post("/users/register", body, async (c) => {
    const registration = await readBody(c, RegisterRequest);
    const mail = requireMail(c);
    await limitAddress(c, ATTEMPT_RULES.registerPerAddress);
    const db = openDatabase(c.env.DB);
    await register({ ...registration, db, now: Date.now(), mail, mayMail: await mayMail(c, registration.email) });
    return c.json({ message: "Check your email to activate your account." }, 201);
  })
  .get("/users/verify", async (c) => {
    // Hono answers HEAD with this handler, and programs that check links send it: they must not use the token up.
    if (c.req.method === "HEAD") throw new ApiError("METHOD_NOT_ALLOWED", { headers: { Allow: "GET" } });
    const { token } = readQuery(c, VerifyEmailQuery);
    await limitAddress(c, ATTEMPT_RULES.tokenPerAddress);
    const { passwordHolds } = await verifyEmail({ db: openDatabase(c.env.DB), now: Date.now(), token });
    const message = passwordHolds
      ? "Your email address is verified."
      : "Your email address is verified. It was registered more than once, so set a new password before you sign in.";
    return c.json({ message });
  })
  .post("/users/verify/resend", requireSession(), async (c) => {
    const mail = requireMail(c);
    await limitAddress(c, ATTEMPT_RULES.mailPerAddress);
    const account = c.get("account");
    const db = openDatabase(c.env.DB);
    await resendVerification({ db, now: Date.now(), account, mail, mayMail: () => mayMail(c, account.email) });
    return c.json({ message: "Check your email to activate your account." }, 202);
  })
  .post("/users/change-password", body, requireSession(), async (c) => {
    const { old_password: oldPassword, new_password: newPassword } = await readBody(c, ChangePasswordRequest);
    await backstop(c);
    const session = await changePassword({
      db: openDatabase(c.env.DB),
      now: Date.now(),
      secrets: c.get("config").secrets,
      address: clientAddress(c),
      account: c.get("account"),
      oldPassword,
      newPassword,
      mail: c.env.MAIL,
    });
    return c.json({ message: "Password updated", ...session });
  })
  .post("/users/password-reset/request", body, async (c) => {
    const { email } = await readBody(c, PasswordResetRequest);
    const mail = requireMail(c);
    await limitAddress(c, ATTEMPT_RULES.mailPerAddress);
    const db = openDatabase(c.env.DB);
    await requestPasswordReset({ db, now: Date.now(), email, mail, mayMail: await mayMail(c, email) });
    return c.json({ message: "If an account exists for this email, a reset link will arrive soon." }, 202);
  })
  .post("/users/password-reset/execute", body, async (c) => {
    const { token, new_password: newPassword } = await readBody(c, PasswordResetExecuteRequest);
    await limitAddress(c, ATTEMPT_RULES.tokenPerAddress);
    const db = openDatabase(c.env.DB);
    const now = Date.now();
    const email = await executePasswordReset({ db, now, token, newPassword, mail: c.env.MAIL });
    // Whoever reads the owner's mail is the owner: guessers cannot lock this address out.
    await mark(db, now, attemptSubject(c.get("config").secrets.current, KNOWN_ADDRESS, email, clientAddress(c)));
    return c.json({ message: "Your new password is set. You can sign in with it now." });
  });
