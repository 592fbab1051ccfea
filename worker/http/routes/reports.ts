import { accepts } from "hono/accepts";
import { reports } from "../../../contract/endpoints/reports.ts";
import { operations } from "../operation.ts";
import { usageByDay, usageCsv, usageSummary } from "../../usage/reports.ts";

export const reportRoutes = operations(reports, {
  usageSummary: ({ input, io, session }) =>
    usageSummary(io.db, { userId: session.account.id, mode: input.mode, now: io.now }),
  async usageReport({ input, io, session, c }) {
    const report = await usageByDay(io.db, { userId: session.account.id, ...input, now: io.now });
    c.header("Vary", "Accept");
    const supports = ["application/json", "text/csv"];
    if (accepts(c, { header: "Accept", supports, default: "application/json" }) !== "text/csv") return report;
    c.header("Content-Type", "text/csv; charset=utf-8");
    c.header("Content-Disposition", `attachment; filename="checkline-usage-${report.days.at(-1)?.date}.csv"`);
    return c.body(usageCsv(report));
  },
});
