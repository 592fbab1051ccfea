import { createServer } from "node:http";
import type { IncomingHttpHeaders, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MailRejected } from "./driver.ts";
import { resendDriver } from "./resend.ts";
import type { ResendOptions } from "./resend.ts";

const API_KEY = "re_SecretKey_123";
const MAIL = { to: "ada@example.com", subject: "Subject", text: "Text", html: "<p>Text</p>" };
const CONTEXT = { now: 0, userId: "usr_1", messageId: "message-1" };

interface Received {
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

let server: Server;
let endpoint: string;
let received: Received[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  received = [];
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += chunk));
    request.on("end", () => {
      received.push({ method: request.method, headers: request.headers, body: JSON.parse(body) });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/emails`;
});

afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

function answerWith(status: number, body: unknown, headers: Record<string, string> = {}): void {
  answer = (response) => response.writeHead(status, headers).end(JSON.stringify(body));
}

/** The error that sending fails with, or null; in any case it must reveal nothing. */
async function failure(options: Partial<ResendOptions> = {}): Promise<Error | null> {
  const driver = resendDriver({ apiKey: API_KEY, endpoint, from: "Checkline <no-reply@checkline.test>", ...options });
  try {
    await driver.send(MAIL, CONTEXT);
    return null;
  } catch (thrown) {
    const error = thrown as Error;
    const everything = `${error.name} ${error.message} ${error.stack} ${String(error.cause)}`;
    expect(everything).not.toContain(options.apiKey ?? API_KEY);
    expect(everything).not.toContain(MAIL.to);
    return error;
  }
}

/** A response that repeats everything a careless error message could quote. */
function sentence(name: string) {
  return { name, statusCode: 0, message: `Cannot mail ${MAIL.to} with ${API_KEY}` };
}

describe("the Resend driver", () => {
  test("posts the email once, with the key, and with the message id as idempotency key", async () => {
    answerWith(200, { id: "mail-1" });
    expect(await failure()).toBeNull();
    expect(received).toHaveLength(1);
    const [request] = received as [Received];
    expect(request.method).toBe("POST");
    expect(request.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(request.headers["content-type"]).toBe("application/json");
    expect(request.headers["idempotency-key"]).toBe("message-1");
    expect(request.body).toStrictEqual({ from: "Checkline <no-reply@checkline.test>", ...MAIL });
  });

  test.each([
    [400, "validation_error"],
    [409, "invalid_idempotent_request"],
    [422, "invalid_parameter"],
  ])("treats a %i (%s) as final", async (status, name) => {
    answerWith(status, sentence(name));
    const error = await failure();
    expect(error).toBeInstanceOf(MailRejected);
    expect(error?.message).toBe(`Resend responded with ${status} (${name})`);
  });

  test.each([
    [401, "missing_api_key"],
    [403, "invalid_api_key"],
    [408, "request_timeout"],
    [409, "concurrent_idempotent_requests"],
    [425, "too_early"],
    [429, "rate_limit_exceeded"],
    [500, "internal_server_error"],
    [503, "service_unavailable"],
  ])("treats a %i (%s) as retriable", async (status, name) => {
    answerWith(status, sentence(name));
    const error = await failure();
    expect(error).not.toBeNull();
    expect(error).not.toBeInstanceOf(MailRejected);
    expect(error?.message).toContain(String(status));
  });

  test("does not send the key to a redirect's target", async () => {
    answerWith(307, {}, { Location: endpoint });
    expect(await failure()).not.toBeInstanceOf(MailRejected);
    expect(received).toHaveLength(1);
  });

  test.each(["", "<html>Bad gateway</html>", "null", '{"name": "RE_SecretKey_123 ada@example.com"}'])(
    "handles an unexpected response: %j",
    async (body) => {
      answer = (response) => response.writeHead(400).end(body);
      expect((await failure())?.message).toBe("Resend responded with 400 (unnamed)");
    },
  );

  test("times out", async () => {
    answer = () => {};
    const error = await failure({ timeoutMs: 50 });
    expect(error?.message).toBe("Resend did not respond (TimeoutError)");
    expect(error).not.toBeInstanceOf(MailRejected);
  });

  test("times out on the rest of a response", async () => {
    answer = (response) => response.writeHead(500, { "Content-Length": "100" }).write("{");
    expect((await failure({ timeoutMs: 500 }))?.message).toBe("Resend responded with 500 (unnamed)");
  });

  test("reports a refused connection", async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect((await failure())?.message).toBe("Resend did not respond (TypeError, ECONNREFUSED)");
  });

  test("does not quote a key that is an invalid header value", async () => {
    const error = await failure({ apiKey: "re_broken\nkey" });
    expect(error?.message).toBe("Resend did not respond (TypeError)");
    expect(received).toHaveLength(0);
  });
});
