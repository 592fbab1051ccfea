import { Unusable } from "./cells.ts";
import type { Desk } from "./desk.ts";
import type { Question, Reply } from "./desk-messages.ts";

const FAILED = "This list may be too large for your device. Try a smaller one.";

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | null = null;
let asked = 0;
const waiting = new Map<number, Waiting>();

function failAll(): void {
  for (const { reject } of waiting.values()) reject(new Unusable(FAILED));
  waiting.clear();
}

/** Terminates the worker, and all its data. */
export function closeDesk(): void {
  worker?.terminate();
  worker = null;
  failAll();
}

function start(): Worker {
  const made = new Worker(new URL("./desk.worker.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
    const { resolve, reject } = waiting.get(data.id)!;
    waiting.delete(data.id);
    if ("value" in data) resolve(data.value as never);
    else reject(new Unusable(data.problem ?? FAILED));
  });
  made.addEventListener("error", closeDesk);
  return made;
}

function ask(name: keyof Desk, parts: readonly unknown[]): Promise<never> {
  worker ??= start();
  asked += 1;
  const question: Question = { id: asked, name, parts };
  return new Promise((resolve, reject) => {
    waiting.set(question.id, { resolve, reject });
    // A worker's own page accepts no target.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker!.postMessage(question);
  });
}

/** The desk in its worker, which starts on the first call. */
export const desk: Desk = {
  open: (...parts) => ask("open", parts),
  openSheet: (...parts) => ask("openSheet", parts),
  read: (...parts) => ask("read", parts),
  begin: (...parts) => ask("begin", parts),
  restore: (...parts) => ask("restore", parts),
  record: (...parts) => ask("record", parts),
  page: (...parts) => ask("page", parts),
  file: (...parts) => ask("file", parts),
  forget: (...parts) => ask("forget", parts),
};
