import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { checkPublicAddress } from "./public-address.ts";

/** A worker behind a zone, which responds to some requests itself: it returns whether it did. */
async function serve(zone: (request: IncomingMessage, response: ServerResponse) => boolean): Promise<string> {
  const server = createServer((request, response) => {
    if (zone(request, response)) return;
    if (request.url === "/policy") return void response.end('<a href="mailto:privacy@example.com">Write to us</a>');
    response.setHeader("X-Request-Id", "req_1");
    response.end("{}");
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test("an address that nothing keeps clients from", async () => {
  const origin = await serve(() => false);
  const { isFine, text } = await checkPublicAddress(origin);
  expect(isFine).toBe(true);
  expect(text).toBe(`${origin}
  API, user agent Python-urllib/3.12  200  ok
  API, no user agent                  200  ok
  page with email addresses           200  ok
`);
});

test("the calls have exactly these user agents", async () => {
  const agents: (string | undefined)[] = [];
  const origin = await serve(({ url, headers }) => {
    if (url === "/api/v1/health") agents.push(headers["user-agent"]);
    return false;
  });
  await checkPublicAddress(origin);
  expect(agents.toSorted()).toStrictEqual(["Python-urllib/3.12", undefined]);
});

test.each([
  ["Browser Integrity Check (error 1010)", 403, {}, "error code: 1010"],
  ["a rule of the zone (error 1020)", 403, {}, "<title>Error 1020</title>"],
  ["a challenge, such as Bot Fight Mode's", 403, { "cf-mitigated": "challenge" }, "Just a moment..."],
  ["a redirect to https://login.example/", 302, { Location: "https://login.example/" }, ""],
  ["something else than the worker, with status 522", 522, {}, ""],
])("%s is recognized", async (words, status, headers, body) => {
  const origin = await serve((request, response) => {
    if (request.headers["user-agent"] !== undefined) return false;
    response.writeHead(status, headers).end(body);
    return true;
  });
  const { isFine, data, text } = await checkPublicAddress(origin);
  expect(isFine).toBe(false);
  expect(data.calls.slice(0, 2)).toStrictEqual([
    { call: "API, user agent Python-urllib/3.12", status: 200, obstacle: null },
    { call: "API, no user agent", status, obstacle: words },
  ]);
  expect(text).toContain('under "Zone settings"');
});

test.each([
  ['<a href="/cdn-cgi/l/email-protection#abc">', "Email Address Obfuscation"],
  ['<script src="https://static.cloudflareinsights.com/beacon.min.js">', "Web Analytics"],
])("a page changed by %s", async (html, what) => {
  const origin = await serve(({ url }, response) => {
    if (url !== "/policy") return false;
    response.end(html);
    return true;
  });
  expect((await checkPublicAddress(origin)).data.calls[2]).toMatchObject({ obstacle: `changed by ${what}` });
});

test("an address where nothing responds", async () => {
  const { data } = await checkPublicAddress("http://127.0.0.1:1");
  for (const { obstacle } of data.calls) expect(obstacle).toBe("no response (ECONNREFUSED)");
});
