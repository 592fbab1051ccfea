import { accepts } from "hono/accepts";
import * as v from "valibot";
import type { Mount, RequestContext } from "../context.ts";
import { methodNotAllowed } from "../errors.ts";
import { requireLoopback } from "../origins.ts";
import { respond, respondJson, setHeaders } from "../response.ts";
import { UsageMessageSchema } from "../../ledger/part.ts";
import { ApiError } from "../../platform/errors.ts";
import { listMails } from "../../mail/mailbox.ts";
import { MAILBOX_PAGE_POLICY, mailboxPage } from "../../mail/mailbox-page.ts";

/** @throws ApiError 404 outside local development, or for a caller elsewhere */
function requireDevelopment(c: RequestContext): void {
  if (c.get("io").config.mail?.driver !== "mailbox") throw new ApiError("NOT_FOUND");
  requireLoopback(c);
}

/**
 * `POST /dev/usage`: records sample usage in local development, where only the worker can reach a ledger. Elsewhere, every
 * method returns 404.
 */
export const mountSampleUsage: Mount = (app) => {
  app.all("/dev/usage", async (c) => {
    requireDevelopment(c);
    if (c.req.method !== "POST") throw methodNotAllowed(c, ["POST"]);
    const message = v.safeParse(UsageMessageSchema, await c.req.json().catch(() => undefined));
    if (!message.success || !("part" in message.output)) throw new ApiError("VALIDATION_FAILED");
    const { part } = message.output;
    await c.get("isolate").env.LEDGER.getByName(part.user).record(part);
    return respond(c, null, 204);
  });
};

/**
 * `GET /dev/mailbox`: the emails of local development, as a page or, with `Accept: application/json`, as a list.
 * Without the local mailbox, every method returns 404.
 */
export const mountMailbox: Mount = (app) => {
  app.all("/dev/mailbox", async (c) => {
    requireDevelopment(c);
    if (c.req.method !== "GET" && c.req.method !== "HEAD") throw methodNotAllowed(c, ["GET", "HEAD"]);
    const mails = await listMails(c.get("io").edge);
    const supports = ["text/html", "application/json"];
    setHeaders(c, { Vary: "Accept" });
    const type = accepts(c, { header: "Accept", supports, default: "text/html" });
    if (type === "application/json") return respondJson(c, mails);
    setHeaders(c, { "Content-Security-Policy": MAILBOX_PAGE_POLICY });
    return respond(c, mailboxPage(mails), 200, "text/html; charset=UTF-8");
  });
};
