import { Unusable } from "./unusable.ts";
import type { Workspace } from "./workspace.ts";
import type { Call, Reply } from "./workspace-messages.ts";

const FAILED = "This list may be too large for your device. Try a smaller one.";

interface Waiting {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, Waiting>();

function failAll(): void {
  for (const { reject } of waiting.values()) reject(new Unusable(FAILED));
  waiting.clear();
}

/** Terminates the worker, and all its data. */
export function closeWorkspace(): void {
  worker?.terminate();
  worker = null;
  failAll();
}

function start(): Worker {
  const made = new Worker(new URL("./workspace.worker.ts", import.meta.url), { type: "module" });
  made.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
    const { resolve, reject } = waiting.get(data.id)!;
    waiting.delete(data.id);
    if ("value" in data) resolve(data.value as never);
    else reject(new Unusable(data.problem ?? FAILED));
  });
  made.addEventListener("error", closeWorkspace);
  return made;
}

function callWorker(name: keyof Workspace, args: readonly unknown[]): Promise<never> {
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

/** The workspace in its worker, which starts on the first call. */
export const workspace: Workspace = {
  open: (...args) => callWorker("open", args),
  openSheet: (...args) => callWorker("openSheet", args),
  read: (...args) => callWorker("read", args),
  begin: (...args) => callWorker("begin", args),
  restore: (...args) => callWorker("restore", args),
  record: (...args) => callWorker("record", args),
  page: (...args) => callWorker("page", args),
  file: (...args) => callWorker("file", args),
  forget: (...args) => callWorker("forget", args),
};
