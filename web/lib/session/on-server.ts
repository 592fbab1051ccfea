import { sessions } from "../../../contract/endpoints/sessions.ts";
import { send } from "../api/send.ts";
import type { Reply } from "../api/send.ts";
import { continues, dropToken, noteRenewal, readToken, storeToken } from "./token.ts";

/** Ends a session on the server. Returns its response, or null when the server could not be reached. */
export function endOnServer(token: string): Promise<Reply | null> {
  return send(sessions.logOut, {}, { bearer: token, keepalive: true }).catch(() => null);
}

/** Logs out silently, on the server too: an emailed link may be for another account than the logged-in one. */
export function discardSession(): void {
  const token = readToken();
  dropToken();
  if (token !== null) void endOnServer(token);
}

/**
 * Stores the new token from a response that invalidated all earlier ones, so this session continues. If another tab has
 * logged out in the meantime, ends the new token too: logging out with the earlier one did not affect it.
 */
export function renewing<T extends { token: string }>(answer: Promise<T>): Promise<T> {
  const stored = answer.then((session) => {
    if (continues(session.token)) storeToken(session.token);
    else void endOnServer(session.token);
    return session;
  });
  noteRenewal(stored);
  return stored;
}
