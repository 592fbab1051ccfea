import { useEffect } from "react";
import { SESSION_IDLE_HOURS } from "../../../contract/limits.ts";
import { toast } from "../toast.ts";
import { forgetDrafts } from "./draft.ts";
import { endOnServer } from "./on-server.ts";
import { dropToken, readToken, wasRejected } from "./token.ts";

/** Asks if something may be lost, and calls `goOn` if the user agrees. */
type Question = (goOn: () => void) => void;

const questions = new Set<Question>();

/** Registers a question to ask before a logged-in user leaves on purpose. Returns the unregistration. */
export function guardLeaving(question: Question): () => void {
  questions.add(question);
  return () => questions.delete(question);
}

/** Calls `goOn` immediately if nothing would be lost, otherwise once the user agrees. */
export function confirmLeaving(goOn: () => void): void {
  const [question] = questions;
  if (question === undefined) goOn();
  else question(goOn);
}

/** While active, the browser asks before the page unloads. */
export function useUnloadQuestion(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [active]);
}

/** Tells other tabs that a session was ended on purpose, which a missing token alone does not. */
const ENDED = "session-ended";
const channel = typeof BroadcastChannel === "undefined" || import.meta.env.SSR ? null : new BroadcastChannel(ENDED);
channel?.addEventListener("message", forgetDrafts);

let destination: string | null = null;

/** Ends the session on purpose: drafts are deleted, and the dashboard redirects to `path`. */
export function endSession(path: string): void {
  destination = path;
  forgetDrafts();
  // A BroadcastChannel reaches this origin alone, and takes no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel?.postMessage(ENDED);
  dropToken();
}

/** Where a user who ended the session goes; null when it expired or was rejected: a new one resumes in place. */
export function leavingFor(): string | null {
  return destination;
}

/** A session exists: the next time it ends may not be on purpose. */
export function forgetLeaving(): void {
  destination = null;
}

let isUnderWay = false;

/** The account is displayed; call it in an effect. Returns the cleanup. */
export function enterSession(): () => void {
  isUnderWay = true;
  return () => {
    isUnderWay = false;
  };
}

/**
 * Whether a session expired during use: not before anything was shown, and not because the user ended it, here or in
 * another tab.
 */
export function wasCutShort(): boolean {
  return isUnderWay && destination === null && wasRejected();
}

/** Ends a session on the server, or says that it failed. One that has already ended is fine. */
async function endOrTell(token: string): Promise<void> {
  const reply = await endOnServer(token);
  if (reply !== null && reply.status < 500) return;
  toast.error(
    "Logged out in this browser only",
    `We can’t reach the server. The session ends after ${SESSION_IDLE_HOURS} hours without use.`,
  );
}

/**
 * Ends the session in every tab of this browser immediately, and on the server in the background. If something would be
 * lost, asks first.
 */
export function logOut(): void {
  confirmLeaving(() => {
    const token = readToken();
    endSession("/login");
    toast.success("Logged out");
    if (token !== null) void endOrTell(token);
  });
}
