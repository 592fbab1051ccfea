import { Hono } from "hono";
import { accountRoutes } from "./http/routes/accounts.ts";
import type { AppEnv } from "./http/context.ts";
import { handleError, rejectPath } from "./http/errors.ts";
import { logRequests } from "./http/requests.ts";
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
  app.use(logRequests(isolate));
  for (const mount of ROUTES) mount(app);
  app.notFound(rejectPath(app.routes));
  app.onError(handleError);
  return app;
}
