import { Unusable } from "../../../../lists/unusable.ts";
import { renewedSince } from "../../../lib/api/call.ts";
import type { News } from "./desk.ts";
import type { Call, Message, Operations } from "./messages.ts";

const FAILED = "This list may be too large for your device. Try a smaller one.";

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, { resolve(value: never): void; reject(error: Error): void }>();
let listener: (news: News) => void = () => {};

/** Calls back with what the desk tells. */
export function onNews(next: typeof listener): void {
  listener = next;
}

/** Terminates the web worker, and all its data. */
export function closeDesk(): void {
  worker?.terminate();
  worker = null;
  for (const { reject } of waiting.values()) reject(new Unusable(FAILED));
  waiting.clear();
}

function receive(message: Message): void {
  if ("rejected" in message)
    void renewedSince(message.rejected)
      .then((token) => desk.session(token))
      .catch(() => {});
  else if ("state" in message || "page" in message) listener(message);
  else {
    const { resolve, reject } = waiting.get(message.id)!;
    waiting.delete(message.id);
    if ("value" in message) resolve(message.value as never);
    else reject(new Unusable(message.problem ?? FAILED));
  }
}

function start(): Worker {
  const made = new Worker(new URL("./desk.worker.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<Message>) => receive(data));
  made.addEventListener("error", closeDesk);
  return made;
}

function callWorker(name: keyof Operations, args: readonly unknown[]): Promise<never> {
  worker ??= start();
  lastId += 1;
  const call: Call = { id: lastId, name, args };
  return new Promise((resolve, reject) => {
    waiting.set(call.id, { resolve, reject });
    // A worker's own page accepts no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker!.postMessage(call);
  });
}

/** The desk in its web worker, which starts on the first call. */
export const desk = new Proxy({} as Operations, {
  get:
    (_, name) =>
    (...args: unknown[]) =>
      callWorker(name as keyof Operations, args),
});
