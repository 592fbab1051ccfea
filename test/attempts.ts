import { eq, gt } from "drizzle-orm";
import { expect } from "vitest";
import { signInAttempts } from "../schema.ts";
import { attemptSubject } from "../worker/limits/attempts.ts";
import type { ExactLimit, Who } from "../worker/limits/table.ts";
import { createAccount, emailOf } from "./factories.ts";
import { pathOf, post } from "./requests.ts";
import { TEST_SECRETS } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

export const WRONG = "not the right password";
/** In seconds, like every window here. */
export const QUARTER_HOUR = 15 * 60;
export const HOUR = 60 * 60;

let addresses = 0;

/** An address no other test uses, in its own network, from the ranges reserved for tests. */
export function newAddress(): string {
  addresses += 1;
  return `198.${18 + (addresses >> 8)}.${addresses & 255}.1`;
}

export function from(address: string): Record<string, string> {
  return { "CF-Connecting-IP": address };
}

export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

export interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly body: unknown;
}

/** Checks a rejection by a limit with a window of this many seconds. */
export function expectLimited({ status, retryAfter, body }: Answer, window: number): void {
  expect(body).toStrictEqual({
    error: expect.stringMatching(/^Too many attempts\. Try again in \d+ (seconds?|minutes)\.$/),
    code: "RATE_LIMITED",
  });
  expect(status).toBe(429);
  expect(retryAfter).toMatch(/^\d+$/);
  const seconds = Number(retryAfter);
  expect(seconds).toBeGreaterThan(window - 60);
  expect(seconds).toBeLessThanOrEqual(window);
}

/** Attempts against a worker, and their counts in its database. */
export function startAttempts(worker: Pick<RunningWorker, "fetch" | "db" | "env">) {
  /** Calls the worker and reads the response immediately: with many responses, unread ones may lose their bodies. */
  async function call(path: string, init: RequestInit): Promise<Answer> {
    const response = await worker.fetch(path, init);
    const text = await response.text();
    const body: unknown = text === "" ? null : JSON.parse(text);
    return { status: response.status, retryAfter: response.headers.get("Retry-After"), body };
  }

  async function signIn(email: string, password: string, address: string): Promise<Answer> {
    return call(pathOf("login"), post(null, { email, password }, from(address)));
  }

  /** The statuses of concurrent logins with a wrong password. */
  async function guess(count: number, email: string, address: string): Promise<number[]> {
    const answers = await Promise.all(times(count, () => signIn(email, WRONG, address)));
    return answers.map(({ status }) => status).toSorted((a, b) => a - b);
  }

  async function newEmail(): Promise<string> {
    return emailOf(await createAccount(worker.db));
  }

  /** @param about whom the limit counts, in its order */
  function counter(rule: ExactLimit, ...about: readonly string[]) {
    const who = Object.fromEntries(rule.by.map((part, index) => [part, about[index]!])) as Record<Who, string>;
    return eq(signInAttempts.subject, attemptSubject(TEST_SECRETS.attempts.current, rule, who).id);
  }

  async function counted(rule: ExactLimit, ...about: readonly string[]): Promise<number | undefined> {
    return (
      await worker.db
        .select()
        .from(signInAttempts)
        .where(counter(rule, ...about))
        .get()
    )?.count;
  }

  /**
   * Raises a count that real attempts have started: hashing as many passwords as a limit allows would take too long.
   */
  async function setCount(count: number, rule: ExactLimit, ...about: readonly string[]): Promise<void> {
    expect(await counted(rule, ...about)).toBeGreaterThan(0);
    await worker.db
      .update(signInAttempts)
      .set({ count })
      .where(counter(rule, ...about));
  }

  /** Lets the windows of all counts expire, but not the marks of known addresses, which count nothing. */
  async function passWindows(): Promise<void> {
    await worker.db
      .update(signInAttempts)
      .set({ windowEndsAt: Date.now() - 1 })
      .where(gt(signInAttempts.count, 0));
  }

  /** Checks that there are more than `than` counts, which reveal neither who was counted nor where. */
  async function expectAnonymous(than: number): Promise<void> {
    const rows = await worker.db.select().from(signInAttempts);
    expect(rows.length).toBeGreaterThan(than);
    for (const { subject, count, windowEndsAt } of rows) {
      expect(subject).toMatch(/^[0-9a-f]{40}$/);
      expect(Number.isInteger(count) && Number.isInteger(windowEndsAt)).toBe(true);
    }
    const { results } = await worker.env.DB.prepare("SELECT * FROM sign_in_attempts").all();
    expect(Object.keys(results[0]!)).toStrictEqual(["subject", "count", "window_ends_at"]);
    expect(JSON.stringify(results)).not.toMatch(/@|198\.1[89]|2001:|example|usr_/i);
  }

  return { call, signIn, guess, newEmail, counter, counted, setCount, passWindows, expectAnonymous };
}
