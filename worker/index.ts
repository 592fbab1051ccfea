import type { ExportedHandler, ExportedHandlerFetchHandler } from "@cloudflare/workers-types";
import { env } from "cloudflare:workers";
import { createApp } from "./app.ts";
import type { Bindings } from "./env.ts";
import { createIsolate } from "./io.ts";
import { ledgersIn } from "./ledger/namespace.ts";
import type { Serve } from "./own-verifications.ts";
import { consumeBatch } from "./queue.ts";
import { runSchedule } from "./schedule.ts";

const bindings = env as unknown as Bindings;
const isolate = createIsolate({ ...bindings, LEDGER: ledgersIn(bindings.LEDGER, bindings.JURISDICTION) });

export { Ledger } from "./ledger/ledger.ts";

const app = createApp(isolate);
const serve: Serve = async (request, waitUntil) =>
  app.fetch(request, bindings, { waitUntil, passThroughOnException() {}, props: {} });

export default {
  fetch: app.fetch as unknown as ExportedHandlerFetchHandler<Bindings>,
  queue: (batch) => consumeBatch(batch, isolate),
  scheduled: ({ cron }) => runSchedule(cron, isolate, serve),
} satisfies ExportedHandler<Bindings>;
