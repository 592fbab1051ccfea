import { vi } from "vitest";
import type { Bindings } from "../../worker/env.ts";
import { until } from "./clock.ts";

/** The worker in a memory of its own, as an isolate has it. */
export interface Isolate {
  /** Sends a request and lets pass the time that its answer takes. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Lets everything end that runs behind the answers; what fails there fails the test. */
  settled(): Promise<void>;
}

const ORIGIN = "https://checkline.test";

/** A fresh isolate with these bindings: all modules of the worker are evaluated again. */
export async function openIsolate(env: Bindings): Promise<Isolate> {
  vi.resetModules();
  const { app } = await import("../../worker/app.ts");
  const work: Promise<unknown>[] = [];
  const context = {
    waitUntil(promise: Promise<unknown>) {
      // Without a handler, a failure that nobody has awaited yet would end the process.
      promise.catch(() => {});
      work.push(promise);
    },
    passThroughOnException() {},
    props: {},
  };
  return {
    fetch(path, init) {
      const request = new Request(new URL(path, ORIGIN), init);
      return until(Promise.resolve(app.fetch(request, env, context)));
    },
    async settled() {
      while (work.length > 0) await until(Promise.all(work.splice(0)));
    },
  };
}
