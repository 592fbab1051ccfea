import type { Desk, News } from "./desk.ts";

/** What the page can ask of the web worker: the desk's operations, and a new token of the session. */
export interface Operations extends Desk {
  /** The session's token; null if it has ended. */
  session(token: string | null): Promise<void>;
}

/** A call, as a message to the web worker. */
export interface Call {
  readonly id: number;
  readonly name: keyof Operations;
  readonly args: readonly unknown[];
}

/** A message to the page: a call's result, where a null problem is an unexpected one; or something else. */
export type Message =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string | null }
  | News
  /** The service has rejected the token. */
  | { readonly rejected: string };
