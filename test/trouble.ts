import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll } from "vitest";
import { ERRORS } from "../contract/errors.ts";
import { verify } from "./engine.ts";

/** What goes wrong: every number is invalid, or every call fails. */
export const TROUBLES = ["invalid", "QUOTA_EXCEEDED", "RATE_LIMITED"] as const;
export type Trouble = (typeof TROUBLES)[number];

/** What the stand-in returns for every number. Like most invalid numbers, it can be written in E.164. */
export const INVALID = { ...verify("+1 202 555"), accepted: null, rejected_because: null };

/** A valid number of which most is unknown: its calling code belongs to no country. */
const UNKNOWN = { ...verify("+800 1234 5678"), accepted: null, rejected_because: null };

interface StandIn {
  readonly origin: string;
  trouble: Trouble | "unknown";
}

function answer(result: object, path: string, body: string, response: ServerResponse): void {
  if (path.endsWith("/stream")) {
    const lines = body.split("\n").filter((line) => line.trim() !== "");
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    response.end(lines.map(() => `${JSON.stringify(result)}\n`).join(""));
    return;
  }
  const isBatch = path.endsWith("/batch");
  const results = () => (JSON.parse(body) as { numbers: unknown[] }).numbers.map(() => result);
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify(isBatch ? { results: results() } : result));
}

/** Stands in for the API in trouble, for the tests of a file. */
export function startStandIn(): StandIn {
  const standIn: StandIn & { origin: string } = { origin: "", trouble: "invalid" };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const { trouble } = standIn;
      if (trouble === "invalid") return answer(INVALID, request.url!, body, response);
      if (trouble === "unknown") return answer(UNKNOWN, request.url!, body, response);
      const { status, message: error } = ERRORS[trouble];
      response.writeHead(status, { "Content-Type": "application/json", "Retry-After": "0" });
      response.end(JSON.stringify({ error, code: trouble }));
    });
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    standIn.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => void server.close(resolve)));
  return standIn;
}
