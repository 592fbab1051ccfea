import { Hono } from "hono";
import type { Health } from "../../contract/endpoints/service.ts";
import { openApiDocument } from "../../contract/openapi.ts";
import { version } from "../../package.json";
import type { AppEnv } from "../env.ts";
import { dataVersions } from "../verification/engine.ts";

export const serviceRoutes = new Hono<AppEnv>()
  .get("/health", (c) => {
    const { problems } = c.get("config");
    const status = problems.length === 0 ? "ok" : "degraded";
    return c.json({ status, version, data: dataVersions(), problems: [...problems] } satisfies Health);
  })
  .get("/openapi.json", (c) => {
    c.header("Cache-Control", "public, max-age=300");
    return c.json(openApiDocument(new URL(c.req.url).origin, version));
  });
