import { createApp } from "../../worker/app.ts";
import type { Bindings } from "../../worker/env.ts";
import { createIsolate } from "../../worker/io.ts";
import { until } from "./clock.ts";
import { expectDeclared } from "./declared.ts";

/** The worker with its own memory, like an isolate. */
export interface Isolate {
  /** Sends a request and advances time until its response. An error must be one that the operation declares. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Lets all background work finish; failures there fail the test. */
  settled(): Promise<void>;
}

const ORIGIN = "https://checkline.test";

/** A fresh isolate with these bindings. */
export function openIsolate(env: Bindings): Isolate {
  const app = createApp(createIsolate(env));
  const work: Promise<unknown>[] = [];
  const context = {
    waitUntil(promise: Promise<unknown>) {
      // Without a handler, a failure not yet awaited would end the process.
      promise.catch(() => {});
      work.push(promise);
    },
    passThroughOnException() {},
    props: {},
  };
  return {
    async fetch(path, init) {
      const request = new Request(new URL(path, ORIGIN), init);
      // As every client does for a body that isn't a stream.
      if (typeof init?.body === "string" && !request.headers.has("Content-Length")) {
        request.headers.set("Content-Length", String(Buffer.byteLength(init.body)));
      }
      const response = await until(Promise.resolve(app.fetch(request, {}, context)));
      if (response.status >= 400) await expectDeclared(request, response.clone());
      return response;
    },
    async settled() {
      while (work.length > 0) await until(Promise.all(work.splice(0)));
    },
  };
}
