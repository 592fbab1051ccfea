import { afterAll, beforeAll } from "vitest";
import type { Settings } from "../worker/platform/config.ts";
import { openWorker } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

/** A worker of its own for one test file: it runs before the first test and ends after the last. */
export function startWorker(settings?: Settings): Omit<RunningWorker, "close"> {
  let running: RunningWorker | undefined;
  beforeAll(async () => {
    running = await openWorker(settings);
  });
  afterAll(() => running?.close());

  function started(): RunningWorker {
    if (running === undefined) throw new Error("The worker has not started yet");
    return running;
  }
  return {
    fetch: (path, init) => started().fetch(path, init),
    logs: () => started().logs(),
    get url() {
      return started().url;
    },
    get env() {
      return started().env;
    },
    get db() {
      return started().db;
    },
  };
}
