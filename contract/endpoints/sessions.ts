import { ConfirmPasswordRequest, EndedResponse, SessionResponse, SessionsResponse } from "../accounts.ts";
import { RECENT_PASSWORD_MINUTES } from "../limits.ts";
import { endpoints, READING_A_BODY } from "./endpoint.ts";

export const sessions = endpoints({
  logOut: {
    method: "post",
    path: "/api/v1/auth/logout",
    tag: "Accounts",
    credential: "session",
    summary: "Log out",
    rate: "calls by account",
    success: { status: 204, description: "The session has ended." },
    errors: [],
  },
  confirmPassword: {
    method: "post",
    path: "/api/v1/auth/confirm-password",
    tag: "Accounts",
    credential: "session",
    summary: "Enter the password again",
    description: `For the next ${RECENT_PASSWORD_MINUTES} minutes, operations that return \`PASSWORD_REQUIRED\` are allowed. The session continues with the new token, and the old one stops working.`,
    request: { schema: ConfirmPasswordRequest, example: { password: "correct horse battery staple" } },
    rate: "passwords by account",
    success: { status: 200, description: "A new token for the same session.", schema: SessionResponse },
    errors: [...READING_A_BODY, "WRONG_PASSWORD"],
  },
  listSessions: {
    method: "get",
    path: "/api/v1/account/sessions",
    tag: "Dashboard",
    credential: "session",
    summary: "List the active sessions",
    rate: "calls by account",
    success: {
      status: 200,
      description: "Active sessions: this one first, then the most recently used.",
      schema: SessionsResponse,
    },
    errors: [],
  },
  endOtherSessions: {
    method: "delete",
    path: "/api/v1/account/sessions",
    tag: "Dashboard",
    credential: "session",
    password: "recent",
    summary: "End all other sessions",
    rate: "calls by account",
    success: { status: 200, description: "All other sessions have ended.", schema: EndedResponse },
    errors: [],
  },
  endSession: {
    method: "delete",
    path: "/api/v1/account/sessions/{id}",
    tag: "Dashboard",
    credential: "session",
    password: "recent",
    summary: "End one session",
    rate: "calls by account",
    success: { status: 200, description: "The session has ended.", schema: EndedResponse },
    errors: ["NOT_FOUND"],
  },
});
