import { Hono } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { API_BASE_PATH } from "../contract/origin.ts";
import type { AppEnv } from "./env.ts";
import { handleError } from "./http/errors.ts";
import { answerUnrouted } from "./http/fallback.ts";
import { logRequests } from "./http/log.ts";
import { readConfig } from "./http/config.ts";
import { noStore } from "./http/no-store.ts";
import { requestIds } from "./http/request-id.ts";
import { requireSession } from "./http/session.ts";
import { accountRoutes } from "./routes/account.ts";
import { apiKeyRoutes } from "./routes/api-keys.ts";
import { authRoutes } from "./routes/auth.ts";
import { demoRoutes } from "./routes/demo.ts";
import { mailboxRoutes } from "./routes/mailbox.ts";
import { reportRoutes } from "./routes/reports.ts";
import { serviceRoutes } from "./routes/service.ts";
import { userRoutes } from "./routes/users.ts";
import { batchRoutes, verifyRoutes } from "./routes/verify.ts";

const app = new Hono<AppEnv>();

app.use(requestIds(), logRequests(), secureHeaders(), noStore(), readConfig());

app.route(API_BASE_PATH, verifyRoutes);
app.route(API_BASE_PATH, batchRoutes);
app.route(API_BASE_PATH, demoRoutes);
app.route(API_BASE_PATH, serviceRoutes);
app.route(API_BASE_PATH, authRoutes);
app.route(API_BASE_PATH, userRoutes);

// Everything under /account needs a session: a new route cannot forget to ask for one.
const account = new Hono<AppEnv>();
account.use(requireSession());
account.route("/", accountRoutes);
account.route("/api-keys", apiKeyRoutes);
account.route("/reports", reportRoutes);
app.route(`${API_BASE_PATH}/account`, account);

app.route("/", verifyRoutes);
app.route("/dev", mailboxRoutes);

app.notFound(answerUnrouted(app));
app.onError(handleError);

export { app };
