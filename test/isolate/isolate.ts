import { createApp } from "../../worker/app.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { until } from "./clock.ts";

/** The worker in its own memory, as an isolate has it. */
export interface Isolate {
  /** Sends a request and lets pass the time that its response takes. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Lets everything end that runs behind the responses; what fails there fails the test. */
  settled(): Promise<void>;
}

const ORIGIN = "https://checkline.test";

/** A fresh isolate with these bindings. */
export function openIsolate(env: Bindings): Isolate {
  const app = createApp(createIsolate(env));
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
      return until(Promise.resolve(app.fetch(request, {}, context)));
    },
    async settled() {
      while (work.length > 0) await until(Promise.all(work.splice(0)));
    },
  };
}
