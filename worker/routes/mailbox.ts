import { Hono } from "hono";
import type { MiddlewareHandler } from "hono";
import { accepts } from "hono/accepts";
import type { AppEnv } from "../env.ts";
import { ApiError } from "../api-error.ts";
import { listMails } from "../mail/mailbox.ts";
import { MAILBOX_PAGE_POLICY, mailboxPage } from "../mail/mailbox-page.ts";

/** Without the local mailbox there is nothing at this address, whatever the method. */
const onlyWithMailbox: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.get("config").mail?.driver !== "mailbox") throw new ApiError("NOT_FOUND");
  await next();
};

/** `GET /mailbox`: the mails of local development, as a page or, with `Accept: application/json`, as a list. */
export const mailboxRoutes = new Hono<AppEnv>().use("/mailbox", onlyWithMailbox).get("/mailbox", async (c) => {
  const mails = await listMails(c.env.EDGE);
  const supports = ["text/html", "application/json"];
  const type = accepts(c, { header: "Accept", supports, default: "text/html" });
  c.header("Vary", "Accept");
  if (type === "application/json") return c.json(mails);
  c.header("Content-Security-Policy", MAILBOX_PAGE_POLICY);
  return c.html(mailboxPage(mails));
});
