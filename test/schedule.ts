import { createApp } from "../worker/app.ts";
import type { Isolate } from "../worker/io.ts";
import type { Serve } from "../worker/own-verifications.ts";
import { runSchedule } from "../worker/schedule.ts";

/** An isolate's API, as the schedule calls it. */
export function serveWith(isolate: Isolate): Serve {
  const app = createApp(isolate);
  return async (request, waitUntil) => app.fetch(request, {}, { waitUntil, passThroughOnException() {}, props: {} });
}

/** Runs the job of a cron expression, as the worker does. */
export function runJob(cron: string, isolate: Isolate): Promise<void> {
  return runSchedule(cron, isolate, serveWith(isolate));
}
