import { sessions } from "../../../contract/endpoints/sessions.ts";
import { send } from "../api/send.ts";
import type { Reply } from "../api/send.ts";
import { continues, dropToken, noteRenewal, readToken, storeToken } from "./token.ts";

/** Ends a session on the server: its response, or null when the server could not be reached. */
export function endOnServer(token: string): Promise<Reply | null> {
  return send(sessions.logOut, {}, { bearer: token, keepalive: true }).catch(() => null);
}

/** Logs out without a word, on the server too: a link from an email may be about another account than the one that is logged in. */
export function discardSession(): void {
  const token = readToken();
  dropToken();
  if (token !== null) void endOnServer(token);
}

/**
 * Stores the new token from a response that ended all earlier ones: this session continues with it. Where another tab has logged out
 * meanwhile, the new token ends as well: logging out with the earlier one did not reach it.
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
