import { Hono } from "hono";
import { accountRoutes } from "./http/routes/accounts.ts";
import type { AddRoute, AppEnv } from "./http/context.ts";
import { handleError, rejectUnrouted } from "./http/errors.ts";
import { tracked } from "./http/requests.ts";
import type { Isolate } from "./io.ts";
import { keyRoutes } from "./http/routes/keys.ts";
import { mountMcp } from "./http/routes/mcp.ts";
import { mountMailbox, mountSampleUsage } from "./http/routes/development.ts";
import { serviceRoutes } from "./http/routes/service.ts";
import { secondFactorRoutes } from "./http/routes/second-factor.ts";
import { sessionRoutes } from "./http/routes/sessions.ts";
import { subscriptionRoutes } from "./http/routes/subscriptions.ts";
import { reportRoutes } from "./http/routes/reports.ts";
import { verificationRoutes } from "./http/routes/verification.ts";

const ROUTES = [
  ...verificationRoutes,
  ...accountRoutes,
  ...sessionRoutes,
  ...secondFactorRoutes,
  ...subscriptionRoutes,
  ...keyRoutes,
  ...reportRoutes,
  ...serviceRoutes,
  mountMcp,
  mountMailbox,
  mountSampleUsage,
];

/** The API served by one isolate. */
export function createApp(isolate: Isolate): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  // Each route has one handler and no middleware, so Hono calls it directly.
  const route: AddRoute = (method, pattern, serve) => app.on(method, pattern, tracked(isolate, pattern, serve));
  for (const mount of ROUTES) mount(route, isolate);
  app.notFound(tracked(isolate, null, rejectUnrouted(app)));
  // Only errors thrown after the response was created get here; a route's errors become its response.
  app.onError(handleError);
  return app;
}
