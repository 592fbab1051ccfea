import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { API_BASE_PATH } from "../contract/origin.ts";
import type { AppEnv } from "./env.ts";
import { handleError } from "./http/errors.ts";
import { answerUnrouted } from "./http/fallback.ts";
import { logRequests } from "./http/log.ts";
import { noStore } from "./http/no-store.ts";
import { requestIds } from "./http/request-id.ts";
import { serviceRoutes } from "./routes/service.ts";
import { batchRoutes, verifyRoutes } from "./routes/verify.ts";

const app = new Hono<AppEnv>();

app.use(requestIds(), logRequests(), secureHeaders(), noStore());

app.route(API_BASE_PATH, verifyRoutes);
app.route(API_BASE_PATH, batchRoutes);
app.route(API_BASE_PATH, serviceRoutes);
app.route("/", verifyRoutes);

app.notFound(answerUnrouted(app));
app.onError(handleError);

export { app };
