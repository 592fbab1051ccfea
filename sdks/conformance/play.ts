import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Played } from "./case.ts";

/** The HTTP date in this many seconds. */
function dateIn(_: string, seconds: string): string {
  return new Date(Date.now() + Number(seconds) * 1000).toUTCString();
}

function bodyOf({ text, lines, json }: Played): string {
  if (lines !== undefined)
    return lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join("");
  return text ?? (json === undefined ? "" : JSON.stringify(json));
}

function headersOf(played: Played, body: string, elsewhere: string): Record<string, string> {
  const whole = { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) };
  const standard = {
    "X-Request-Id": "req_standin",
    "Data-Version": "9.0.43+3f9c1a",
    ...(played.lines === undefined ? whole : { "Content-Type": "application/x-ndjson" }),
  };
  return Object.fromEntries(
    Object.entries({ ...standard, ...played.headers })
      .filter((entry): entry is [string, string] => entry[1] !== null)
      .map(([name, value]) => [name, value.replace("{elsewhere}", elsewhere).replace(/\{date\+(\d+)\}/, dateIn)]),
  );
}

/**
 * Plays one response. `elsewhere` is another host's address, for redirects. Resolves when it is sent, or the caller has
 * gone.
 */
export async function play(played: Played, response: ServerResponse, elsewhere: string): Promise<void> {
  if (played.broken === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (played.delay_ms !== undefined) {
    await Promise.race([sleep(played.delay_ms, undefined, { ref: false }), once(response, "close")]);
    // A write to a closed connection would count as sent long after the next request has arrived.
    if (response.destroyed || response.socket === null) return;
  }
  const body = bodyOf(played);
  response.writeHead(played.status ?? 200, headersOf(played, body, elsewhere));
  const half = played.broken === undefined && played.slow_ms === undefined ? 0 : Math.floor(body.length / 2);
  if (half > 0) response.write(body.slice(0, half));
  if (played.slow_ms !== undefined) await sleep(played.slow_ms);
  if (played.broken === undefined) response.end(body.slice(half));
  if (played.broken === "short_body") {
    await sleep(50);
    response.socket?.destroy();
  }
}

/** Passes a request to the real worker, and its response back. */
export async function forward(
  request: { url: string; headers: IncomingMessage["headers"]; body: string },
  response: ServerResponse,
): Promise<void> {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const forwarded = await fetch(request.url, {
    method: "POST",
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    body: request.body,
    redirect: "manual",
  });
  const passed = ["content-type", "x-request-id", "data-version", "retry-after"].flatMap((name) => {
    const value = forwarded.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(forwarded.status, Object.fromEntries(passed));
  response.end(await forwarded.text());
}

/** A request's body as text. */
export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(request, "end");
  return Buffer.concat(chunks).toString("utf8");
}
