import { accepts } from "hono/accepts";
import type { Mount } from "../operation.ts";
import { ApiError } from "../../platform/errors.ts";
import { listMails } from "../../mail/mailbox.ts";
import { MAILBOX_PAGE_POLICY, mailboxPage } from "../../mail/mailbox-page.ts";

/**
 * `GET /dev/mailbox`: the emails of local development, as a page or, with `Accept: application/json`, as a list. Without the local
 * mailbox there is no such endpoint, whatever the method.
 */
export const mountMailbox: Mount = (app) => {
  app.use("/dev/mailbox", async (c, next) => {
    if (c.get("io").config.mail?.driver !== "mailbox") throw new ApiError("NOT_FOUND");
    await next();
  });
  app.get("/dev/mailbox", async (c) => {
    const mails = await listMails(c.get("io").edge);
    const supports = ["text/html", "application/json"];
    c.header("Vary", "Accept");
    if (accepts(c, { header: "Accept", supports, default: "text/html" }) === "application/json") return c.json(mails);
    c.header("Content-Security-Policy", MAILBOX_PAGE_POLICY);
    return c.html(mailboxPage(mails));
  });
};
