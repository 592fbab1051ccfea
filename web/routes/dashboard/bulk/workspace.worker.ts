import { Unusable } from "./cells.ts";
import { createDesk } from "./desk.ts";
import type { Question, Reply } from "./desk-messages.ts";
import { checkStore } from "./store.ts";

const desk = createDesk(checkStore);

async function answer({ id, name, parts }: Question): Promise<Reply> {
  try {
    const work = desk[name] as (...given: unknown[]) => Promise<unknown>;
    return { id, value: await work(...parts) };
  } catch (error) {
    return { id, problem: error instanceof Unusable ? error.message : null };
  }
}

/** In order: each may affect the next. */
let last: Promise<unknown> = Promise.resolve();

self.addEventListener("message", ({ data }: MessageEvent<Question>) => {
  // A worker's own page accepts no target.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  last = last.then(async () => self.postMessage(await answer(data)));
});
