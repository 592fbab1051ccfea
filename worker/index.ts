import type { ExportedHandler, ExportedHandlerFetchHandler } from "@cloudflare/workers-types";
import { app } from "./app.ts";
import type { Bindings } from "./env.ts";
import { consumeBatch } from "./queue.ts";
import { runSchedule } from "./schedule.ts";

export default {
  fetch: app.fetch as unknown as ExportedHandlerFetchHandler<Bindings>,
  queue: consumeBatch,
  scheduled: ({ cron }, env) => runSchedule(cron, env, Date.now()),
} satisfies ExportedHandler<Bindings>;
