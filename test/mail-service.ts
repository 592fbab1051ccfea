import { expect } from "vitest";
import { createApp } from "../worker/app.ts";
import type { Bindings } from "../worker/env.ts";
import { createIo, createIsolate } from "../worker/io.ts";
import type { Io, Isolate } from "../worker/io.ts";
import type { MailMessage } from "../worker/mail/email.ts";
import type { KeptMail } from "../worker/mail/mailbox.ts";
import type { Settings } from "../worker/platform/config.ts";
import { randomBase62 } from "../worker/platform/random.ts";
import { HOUR_MS } from "../worker/platform/time.ts";
import { consumeBatch } from "../worker/queue.ts";
import { batchOf, deliverMail } from "./mail-delivery.ts";
import { TEST_SETTINGS } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

/** A message in the queue, and when it is due. */
interface Queued {
  readonly id: string;
  readonly body: MailMessage;
  readonly queuedAt: number;
  readonly dueAt: number;
  readonly attempts: number;
}

/** The service on the real database and mailbox, with a queue and a clock that the test controls. */
export function startMailService(worker: Pick<RunningWorker, "env">, settings: Pick<Settings, "MAIL_PER_HOUR"> = {}) {
  let now = Date.now();
  let queue: Queued[] = [];
  const MAIL = {
    async send(body: MailMessage, { delaySeconds = 0 } = {}) {
      queue.push({ id: randomBase62(8), body, queuedAt: now, dueAt: now + delaySeconds * 1000, attempts: 1 });
    },
  };
  const mails: KeptMail[] = [];
  let isProviderUp = true;
  const EDGE = new Proxy(worker.env.EDGE, {
    get(target, name) {
      if (name !== "put") return Reflect.get(target, name) as unknown;
      return async (key: string, value: string) => {
        if (!key.startsWith("mailbox:")) return;
        if (!isProviderUp) throw new Error("the provider is away");
        mails.push(JSON.parse(value) as KeptMail);
      };
    },
  });
  const unlimited = { limit: async () => ({ success: true }) };
  const env = {
    ...worker.env,
    ...TEST_SETTINGS,
    ...settings,
    MAIL,
    EDGE,
    ADDRESS_BACKSTOP: unlimited,
    ACCOUNT_BACKSTOP: unlimited,
  } as unknown as Bindings;
  const isolate: Isolate = createIsolate(env, { now: () => now });

  /** Delivers what is due. */
  async function deliver(): Promise<void> {
    const due = queue.filter(({ dueAt }) => dueAt <= now);
    queue = queue.filter(({ dueAt }) => dueAt > now);
    for (const each of due) {
      const delivery = deliverMail(each.body, { attempts: each.attempts, id: each.id });
      Object.assign(delivery.message, { timestamp: new Date(each.queuedAt) });
      await consumeBatch(batchOf([delivery]), isolate);
      const [answer = ""] = delivery.answers;
      if (answer === "ack") continue;
      const seconds = Number(answer.replace("retry ", ""));
      expect(seconds).toBeLessThanOrEqual(12 * 3_600);
      queue.push({ ...each, attempts: each.attempts + 1, dueAt: now + seconds * 1000 });
    }
  }

  const app = createApp(isolate);
  const waitUntil = (work: Promise<unknown>) => void work.catch(() => {});

  return {
    deliver,
    isolate,
    /** Calls the API from this client address. */
    async call(path: string, init: RequestInit, address: string): Promise<Response> {
      const headers = new Headers(init.headers);
      headers.set("CF-Connecting-IP", address);
      const context = { waitUntil, passThroughOnException() {}, props: {} };
      return app.request(path, { ...init, headers }, {}, context);
    },
    /** An anonymous call, from another address each time. */
    io: (): Io => createIo(isolate, { address: randomBase62(8), waitUntil }),
    /** Lets time pass, delivering at every hour. */
    async pass(ms: number): Promise<void> {
      const end = now + ms;
      while (now < end) {
        now = Math.min(end, now + HOUR_MS);
        await deliver();
      }
    },
    waiting: () => queue,
    /** Every email sent, in order. */
    mails: (): readonly KeptMail[] => mails,
    setProvider(isUp: boolean): void {
      isProviderUp = isUp;
    },
  };
}
