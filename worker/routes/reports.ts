import { Hono } from "hono";
import { accepts } from "hono/accepts";
import { ModeQuery } from "../../contract/keys.ts";
import { UsageQuery } from "../../contract/reports.ts";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { readQuery } from "../http/body.ts";
import { usageByDay, usageCsv, usageSummary } from "../usage/reports.ts";

/** Mounted under /account/reports, where everything needs a session. */
export const reportRoutes = new Hono<AppEnv>()
  .get("/summary", async (c) => {
    const { mode } = readQuery(c, ModeQuery);
    const userId = c.get("account").id;
    return c.json(await usageSummary(openDatabase(c.env.DB), { userId, mode, now: Date.now() }));
  })
  .get("/usage", async (c) => {
    const { days, mode } = readQuery(c, UsageQuery);
    const userId = c.get("account").id;
    const report = await usageByDay(openDatabase(c.env.DB), { userId, mode, days, now: Date.now() });
    c.header("Vary", "Accept");
    const type = accepts(c, {
      header: "Accept",
      supports: ["application/json", "text/csv"],
      default: "application/json",
    });
    if (type !== "text/csv") return c.json(report);
    c.header("Content-Type", "text/csv; charset=utf-8");
    c.header("Content-Disposition", `attachment; filename="checkline-usage-${report.days.at(-1)?.date}.csv"`);
    return c.body(usageCsv(report));
  });
