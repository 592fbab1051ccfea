import type { ExportedHandler, ExportedHandlerFetchHandler } from "@cloudflare/workers-types";
import { env } from "cloudflare:workers";
import { createApp } from "./app.ts";
import type { Bindings } from "./env.ts";
import { createIsolate } from "./io.ts";
import { ledgersIn } from "./ledger/namespace.ts";
import { consumeBatch } from "./queue.ts";
import { runSchedule } from "./schedule.ts";

const bindings = env as unknown as Bindings;
const isolate = createIsolate({ ...bindings, LEDGER: ledgersIn(bindings.LEDGER, bindings.JURISDICTION) });

export { Ledger } from "./ledger/ledger.ts";

export default {
  fetch: createApp(isolate).fetch as unknown as ExportedHandlerFetchHandler<Bindings>,
  queue: (batch) => consumeBatch(batch, isolate),
  scheduled: ({ cron }) => runSchedule(cron, isolate),
} satisfies ExportedHandler<Bindings>;
