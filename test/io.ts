import { createIo, createIsolate } from "../worker/io.ts";
import type { Io } from "../worker/io.ts";
import { TEST_SETTINGS } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

/** What a request to the worker would work with, in this process, at a time in milliseconds since the Unix epoch. */
export function ioOf({ env }: Pick<RunningWorker, "env">, now: () => number = Date.now): Io {
  return createIo(createIsolate({ ...TEST_SETTINGS, ...env }, { now }), {
    // Without a handler, a failure that nobody has awaited yet would end the process.
    waitUntil: (work) => void work.catch(() => {}),
  });
}
