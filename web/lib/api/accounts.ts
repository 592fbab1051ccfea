import * as v from "valibot";
import { Account, MessageResponse, PasswordChangedResponse, SessionResponse } from "../../../contract/accounts.ts";
import { renewing } from "../session/token.ts";
import { request } from "./request.ts";

/** Registering, signing in, passwords, and the account itself. */

export function signIn(body: { email: string; password: string }) {
  return request({ method: "POST", path: "/auth/login", body, answer: SessionResponse });
}

export function register(body: { name: string; email: string; password: string }) {
  return request({ method: "POST", path: "/users/register", body, answer: MessageResponse });
}

/** Not to be ended on the way: the token works once, and the answer would be lost. */
export function verifyEmail(token: string) {
  return request({ method: "GET", path: "/users/verify", query: { token }, answer: MessageResponse });
}

export function requestPasswordReset(body: { email: string }) {
  return request({ method: "POST", path: "/users/password-reset/request", body, answer: MessageResponse });
}

export function executePasswordReset(body: { token: string; new_password: string }) {
  return request({ method: "POST", path: "/users/password-reset/execute", body, answer: MessageResponse });
}

export function resendVerification() {
  return request({ method: "POST", path: "/users/verify/resend", answer: MessageResponse, session: true });
}

/** Ends every session of the account but this one, which goes on under the answer's token. */
export function changePassword(body: { old_password: string; new_password: string }) {
  const path = "/users/change-password";
  return renewing(request({ method: "POST", path, body, answer: PasswordChangedResponse, session: true }));
}

/** Waits less than other calls: until it is answered the dashboard shows nothing. */
export function readAccount(signal?: AbortSignal) {
  const call = { method: "GET", path: "/account/me", answer: Account, session: true, timeout: 8_000 } as const;
  return request({ ...call, ...(signal && { signal }) });
}

/** Ends every session of the account but this one, which goes on under the answer's token. */
export function endOtherSessions() {
  const path = "/account/sessions/revoke";
  return renewing(request({ method: "POST", path, answer: SessionResponse, session: true }));
}

export function deleteAccount(body: { password: string }) {
  return request({ method: "DELETE", path: "/account", body, answer: v.undefined(), session: true });
}
