import { Hono } from "hono";
import type { Health } from "../../contract/endpoints.ts";
import { openApiDocument } from "../../contract/openapi.ts";
import { version } from "../../package.json";
import type { AppEnv } from "../env.ts";
import { dataVersions } from "../verification/engine.ts";

export const serviceRoutes = new Hono<AppEnv>()
  .get("/health", (c) => c.json({ status: "ok", version, data: dataVersions() } satisfies Health))
  .get("/openapi.json", (c) => c.json(openApiDocument(new URL(c.req.url).origin, version)));
