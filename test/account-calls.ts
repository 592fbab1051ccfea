import { expect } from "vitest";
import { pathOf, post, send } from "./requests.ts";
import type { RunningWorker } from "./worker.ts";

export const STRANGERS = "a password of the stranger";
export const OWNERS = "a password of the owner";
export const NEW = "a password after the reset";
export const WRONG = "a password that is wrong";

let people = 0;

/** An unregistered address. */
export function newEmail(): string {
  people += 1;
  // Its own domain: a domain gets only a few trials.
  return `person${people}@secrecy${people}.example`;
}

/** Everything in a response except the request's own id. */
export async function shown(response: Response) {
  const { "x-request-id": id, date: _, ...headers } = Object.fromEntries(response.headers);
  expect(id).toMatch(/^req_/);
  return { status: response.status, headers, body: await response.text() };
}

/** Account calls as users make them. */
export function accountCalls(worker: Pick<RunningWorker, "fetch">) {
  return {
    register: (email: string, password: string, name = "Somebody"): Promise<Response> =>
      worker.fetch(pathOf("register"), post(null, { name, email, password })),

    /** The token is empty if rejected. */
    async signIn(email: string, password: string): Promise<{ status: number; token: string }> {
      const response = await worker.fetch(pathOf("login"), post(null, { email, password }));
      const { token = "" } = (await response.json()) as { token?: string };
      return { status: response.status, token };
    },

    async me(token: string): Promise<{ status: number; body: object }> {
      const response = await worker.fetch(pathOf("me"), send("GET", token));
      return { status: response.status, body: (await response.json()) as object };
    },

    verify: async (token: string): Promise<number> =>
      (await worker.fetch(`${pathOf("verifyEmail")}?token=${token}`)).status,
  };
}
