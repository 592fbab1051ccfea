import { afterAll, beforeAll, test } from "vitest";
import type { Settings } from "../worker/platform/config.ts";
import { CHEAP_SCRYPT, openWorker } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

/** The worker shared by all test files of a process, from the first file that needs it until the process ends. */
// oxlint-disable-next-line no-empty-pattern -- Vitest reads from the pattern which fixtures this one needs.
const testWithShared = test.extend("shared", { scope: "worker" }, async ({}, { onCleanup }) => {
  const worker = await openWorker({ alias: CHEAP_SCRYPT });
  onCleanup(() => worker.close());
  return worker;
});

let files = 0;

/** Adds a client address, unless a test sends one: limits by address must not carry over between files. */
function fetchFrom(worker: RunningWorker, address: string): RunningWorker["fetch"] {
  return (path, init) => {
    const headers = new Headers(init?.headers);
    if (!headers.has("CF-Connecting-IP")) headers.set("CF-Connecting-IP", address);
    return worker.fetch(path, { ...init, headers });
  };
}

/** A test file's view of a worker, available once its first test starts. */
function whenStarted(started: () => RunningWorker) {
  return {
    fetch: (path: string, init?: RequestInit) => started().fetch(path, init),
    schedule: (cron: string) => started().schedule(cron),
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

export type TestWorker = ReturnType<typeof whenStarted>;

/** The shared worker for one test file: without data or log lines, but with its isolate's memory of other files. */
export function startWorker(): TestWorker {
  let running: RunningWorker | undefined;
  testWithShared.beforeAll(async ({ shared }) => {
    await shared.empty();
    files += 1;
    running = { ...shared, fetch: fetchFrom(shared, `10.0.${files >> 8}.${files & 255}`) };
  });
  return whenStarted(() => {
    if (running === undefined) throw new Error("The worker has not started yet");
    return running;
  });
}

/** A separate worker for one test file: for particular settings, or beside the shared one. */
export function startOwnWorker(settings: Settings = {}): TestWorker {
  let running: RunningWorker | undefined;
  beforeAll(async () => {
    running = await openWorker({ settings });
  });
  afterAll(() => running?.close());
  return whenStarted(() => {
    if (running === undefined) throw new Error("The worker has not started yet");
    return running;
  });
}
