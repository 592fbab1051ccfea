import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "./case.ts";

/** The date in so many seconds, as HTTP writes it. */
function dateIn(_: string, seconds: string): string {
  return new Date(Date.now() + Number(seconds) * 1000).toUTCString();
}

function headersOf(answer: Answer, body: string, elsewhere: string): Record<string, string> {
  const standard = {
    "Content-Type": "application/json",
    "X-Request-Id": "req_standin",
    "Content-Length": String(Buffer.byteLength(body)),
  };
  return Object.fromEntries(
    Object.entries({ ...standard, ...answer.headers })
      .filter((entry): entry is [string, string] => entry[1] !== null)
      .map(([name, value]) => [name, value.replace("{elsewhere}", elsewhere).replace(/\{date\+(\d+)\}/, dateIn)]),
  );
}

/** Plays one response. `elsewhere` is the address of another host, for redirects. Ends when it is sent, or the caller has gone. */
export async function play(answer: Answer, response: ServerResponse, elsewhere: string): Promise<void> {
  if (answer.broken === "reset") {
    response.socket?.resetAndDestroy();
    return;
  }
  if (answer.delay_ms !== undefined) {
    await Promise.race([sleep(answer.delay_ms, undefined, { ref: false }), once(response, "close")]);
    // What is sent to nobody would count as sent when the next request has long been there.
    if (response.destroyed || response.socket === null) return;
  }
  const body = answer.text ?? (answer.json === undefined ? "" : JSON.stringify(answer.json));
  response.writeHead(answer.status ?? 200, headersOf(answer, body, elsewhere));
  if (answer.broken === undefined) {
    response.end(body);
    return;
  }
  response.write(body.slice(0, body.length / 2));
  if (answer.broken === "short_body") {
    await sleep(50);
    response.socket?.destroy();
  }
}

/** Passes a request on to the real worker, and its response back. */
export async function forward(
  request: { url: string; headers: IncomingMessage["headers"]; body: string },
  response: ServerResponse,
): Promise<void> {
  const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
  const answer = await fetch(request.url, {
    method: "POST",
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
    body: request.body,
    redirect: "manual",
  });
  const passed = ["content-type", "x-request-id", "retry-after"].flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  response.writeHead(answer.status, Object.fromEntries(passed));
  response.end(await answer.text());
}

/** A request's body as text. */
export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(request, "end");
  return Buffer.concat(chunks).toString("utf8");
}
