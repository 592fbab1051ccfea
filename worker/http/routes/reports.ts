import { accepts } from "hono/accepts";
import { reports } from "../../../contract/endpoints/reports.ts";
import { operations } from "../operation.ts";
import { usageByDay, usageCsv, usageSummary } from "../../ledger/reports.ts";

export const reportRoutes = operations(reports, {
  usageSummary: ({ input, io, session }) => usageSummary(io, session.account, { mode: input.mode }),
  async usageReport({ input, io, session, c }) {
    const report = await usageByDay(io, session.account, input);
    c.header("Vary", "Accept");
    const supports = ["application/json", "text/csv"];
    if (accepts(c, { header: "Accept", supports, default: "application/json" }) !== "text/csv") return report;
    c.header("Content-Type", "text/csv; charset=utf-8");
    c.header("Content-Disposition", `attachment; filename="checkline-usage-${report.days.at(-1)?.date}.csv"`);
    return c.body(usageCsv(report));
  },
});
