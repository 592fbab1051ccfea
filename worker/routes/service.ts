import { Hono } from "hono";
import type { Health } from "../../contract/endpoints/service.ts";
import { openApiDocument } from "../../contract/openapi.ts";
import { version } from "../../package.json";
import { openDatabase } from "../db.ts";
import type { AppEnv } from "../env.ts";
import { readStatus, recentStatus, STATUS_MAX_AGE_SECONDS } from "../status/read-status.ts";
import { dataVersions } from "../verification/engine.ts";

export const serviceRoutes = new Hono<AppEnv>()
  .get("/health", (c) => {
    const { problems } = c.get("config");
    const status = problems.length === 0 ? "ok" : "degraded";
    const { id: version_id } = c.env.VERSION;
    return c.json({ status, version, version_id, data: dataVersions(), problems: [...problems] } satisfies Health);
  })
  .get("/status", async (c) => {
    const now = Date.now();
    const status = recentStatus(now) ?? (await readStatus({ db: openDatabase(c.env.DB), kv: c.env.EDGE }, now));
    c.header("Cache-Control", `public, max-age=${STATUS_MAX_AGE_SECONDS}`);
    return c.json(status);
  })
  .get("/openapi.json", (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return c.json(openApiDocument(new URL(c.req.url).origin, version));
  });
