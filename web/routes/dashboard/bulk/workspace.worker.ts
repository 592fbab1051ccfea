import { createCountryReader } from "../../../../lists/columns/read-country.ts";
import { Unusable } from "./unusable.ts";
import { createWorkspace } from "./workspace.ts";
import type { Call, Reply } from "./workspace-messages.ts";
import { checkStore } from "./store.ts";

const workspace = createWorkspace(checkStore, createCountryReader(navigator.languages));

async function replyTo({ id, name, args }: Call): Promise<Reply> {
  try {
    const work = workspace[name] as (...given: unknown[]) => Promise<unknown>;
    return { id, value: await work(...args) };
  } catch (error) {
    return { id, problem: error instanceof Unusable ? error.message : null };
  }
}

/** In order: each may affect the next. */
let last: Promise<unknown> = Promise.resolve();

self.addEventListener("message", ({ data }: MessageEvent<Call>) => {
  // A worker's own page accepts no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  last = last.then(async () => self.postMessage(await replyTo(data)));
});
