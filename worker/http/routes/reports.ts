import { accepts } from "hono/accepts";
import { reports } from "../../../contract/endpoints/reports.ts";
import { operations } from "../operation.ts";
import { respond, setHeaders } from "../response.ts";
import { exportAccount } from "../../administration/export.ts";
import { activityOf, usageByDay, usageByKeyCsv, usageCsv, usageSummary } from "../../ledger/reports.ts";
import { utcDay } from "../../platform/time.ts";

/** A body from text chunks, each generated on demand. */
function streamOf(texts: AsyncGenerator<string, undefined>): ReadableStream<Uint8Array> {
  return new ReadableStream<string>({
    async pull(controller) {
      const { value } = await texts.next();
      if (value === undefined) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => void (await texts.return(undefined)),
  }).pipeThrough(new TextEncoderStream());
}

export const reportRoutes = operations(reports, {
  usageSummary: ({ input, io, session }) => usageSummary(io, session.account, { mode: input.mode }),
  async usageReport({ input, io, session, c }) {
    setHeaders(c, { Vary: "Accept" });
    const supports = ["application/json", "text/csv"];
    const isCsv = accepts(c, { header: "Accept", supports, default: "application/json" }) === "text/csv";
    if (!isCsv) return usageByDay(io, session.account, input);
    const csv =
      input.by === "key"
        ? await usageByKeyCsv(io, session.account, input)
        : usageCsv(await usageByDay(io, session.account, input));
    setHeaders(c, { "Content-Disposition": `attachment; filename="checkline-usage-${utcDay(io.now)}.csv"` });
    return respond(c, csv, 200, "text/csv; charset=utf-8");
  },
  activity: ({ input, io, session }) => activityOf(io, session.account, input),
  async exportAccount({ io, session, c }) {
    const chunks = await exportAccount(io, session);
    setHeaders(c, { "Content-Disposition": `attachment; filename="checkline-account-${utcDay(io.now)}.json"` });
    return respond(c, streamOf(chunks), 200, "application/json");
  },
});
