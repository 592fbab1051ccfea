import { createCountryReader } from "../../../../lists/columns/read-country.ts";
import { Unusable } from "../../../../lists/unusable.ts";
import { createDesk } from "./desk.ts";
import type { Call, Message, Operations } from "./messages.ts";
import { sendBatch } from "./send-batch.ts";
import type { Session } from "./send-batch.ts";
import { checkStore } from "./store.ts";

function post(message: Message): void {
  // A worker's own page accepts no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  self.postMessage(message);
}

let token: string | null = null;
/** Resolves once the page has said which token there is. */
let renewal = Promise.withResolvers<void>();

const session: Session = {
  get token() {
    return token;
  },
  async renew() {
    const rejected = token;
    if (rejected === null) return false;
    renewal = Promise.withResolvers();
    post({ rejected });
    await renewal.promise;
    return token !== null && token !== rejected;
  },
};

/** Waits on the browser's clock; rejects when the signal is aborted. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    setTimeout(resolve, ms);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

const operations: Operations = {
  ...createDesk({
    store: checkStore,
    readCountry: createCountryReader(navigator.languages),
    send: (call, signal) => sendBatch(call, signal, session),
    tell: post,
    now: () => Date.now(),
    sleep,
  }),
  async session(given) {
    token = given;
    renewal.resolve();
  },
};

async function replyTo({ id, name, args }: Call): Promise<Message> {
  try {
    const work = operations[name] as (...given: unknown[]) => Promise<unknown>;
    return { id, value: await work(...args) };
  } catch (error) {
    return { id, problem: error instanceof Unusable ? error.message : null };
  }
}

/** In order: each may affect the next. */
let last: Promise<unknown> = Promise.resolve();

self.addEventListener("message", ({ data }: MessageEvent<Call>) => {
  last = last.then(async () => post(await replyTo(data)));
});
