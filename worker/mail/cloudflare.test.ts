import type { EmailMessage, EmailMessageBuilder, SendEmail } from "@cloudflare/workers-types";
import { describe, expect, test } from "vitest";
import { cloudflareDriver } from "./cloudflare.ts";
import { MailRejected } from "./driver.ts";

const MAIL = { to: "ada@example.com", subject: "Subject", text: "Text", html: "<p>Text</p>" };
const CONTEXT = { now: 0, userId: "usr_1", messageId: "message-1" };

/** A binding that records its input, and fails on request. */
function binding(thrown?: unknown): { readonly sent: unknown[]; readonly sendEmail: SendEmail } {
  const sent: unknown[] = [];
  async function send(message: EmailMessage | EmailMessageBuilder) {
    if (thrown !== undefined) throw thrown;
    sent.push(message);
    return { messageId: "1" };
  }
  return { sent, sendEmail: { send } };
}

describe("the Cloudflare driver", () => {
  test.each([
    ["no-reply@checkline.test", "no-reply@checkline.test"],
    ["<no-reply@checkline.test>", "no-reply@checkline.test"],
    ["Checkline <no-reply@checkline.test>", { name: "Checkline", email: "no-reply@checkline.test" }],
    ['"Checkline, Inc." <no-reply@checkline.test>', { name: "Checkline, Inc.", email: "no-reply@checkline.test" }],
  ])("sends from %s", async (from, sender) => {
    const { sent, sendEmail } = binding();
    await cloudflareDriver(sendEmail, from).send(MAIL, CONTEXT);
    expect(sent).toStrictEqual([{ from: sender, ...MAIL }]);
  });

  test.each([
    ["E_RECIPIENT_SUPPRESSED", true],
    ["E_VALIDATION_ERROR", true],
    ["E_SENDER_NOT_VERIFIED", false],
    ["E_RATE_LIMIT_EXCEEDED", false],
    ["E_INTERNAL_SERVER_ERROR", false],
  ])("with %s is final: %s", async (code, final) => {
    const { sendEmail } = binding(Object.assign(new Error(`cannot mail ${MAIL.to}`), { code }));
    const sending = cloudflareDriver(sendEmail, "a@checkline.test").send(MAIL, CONTEXT);
    const error = (await sending.catch((thrown: unknown) => thrown)) as Error;
    expect(error instanceof MailRejected).toBe(final);
    expect(error.message).toBe(`The email service rejected it (${code})`);
    expect(String(error.stack)).not.toContain(MAIL.to);
  });

  test.each([new Error("ada@example.com"), "ada@example.com", null, { code: "ada@example.com" }])(
    "does not repeat unparsable input: %j",
    async (thrown) => {
      const sending = cloudflareDriver(binding(thrown).sendEmail, "a@checkline.test").send(MAIL, CONTEXT);
      await expect(sending).rejects.toThrow("The email service rejected it (no code)");
    },
  );

  test("reports a missing binding", () => {
    expect(() => cloudflareDriver(undefined, "a@checkline.test")).toThrow("SEND_EMAIL is not bound");
  });
});
