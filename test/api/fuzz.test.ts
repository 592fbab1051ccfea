import fc from "fast-check";
import * as v from "valibot";
import { expect, test } from "vitest";
import { errorsOf } from "../../contract/endpoints/endpoint.ts";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { ENDPOINTS } from "../../contract/endpoints/index.ts";
import { ErrorBody, ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import { VerifyProblem } from "../../contract/verification.ts";
import { MCP, OPERATIONS, randomRequests } from "../random-requests.ts";
import type { RandomRequest } from "../random-requests.ts";
import { createSenders } from "../random-senders.ts";
import { startWorker } from "../harness.ts";
import { longOrShort } from "../long.ts";

const worker = startWorker();

const REQUESTS = longOrShort(100_000, 2_000);
/** Fixed, so that findings reproduce. */
const SEED = 20;
/** New senders after this many requests, because requests delete accounts and end sessions. */
const ROUND = 200;
/** Concurrent requests, so that some race each other. */
const AT_ONCE = 4;

const STATUSES: Readonly<Record<string, { readonly status: number }>> = { ...ERRORS, ...SANDBOX_ERRORS };

/** Checks an error response: an ErrorBody with its code's status, which the operation declares. */
function checkError(response: Response, text: string, { operation, isDeclared, method }: RandomRequest): void {
  const endpoint = OPERATIONS.get(operation)!;
  expect(response.headers.get("content-type")).toBe("application/json");
  if (method === "HEAD") return;
  // JSON-RPC's own error for a message that can't be served.
  if (endpoint === MCP && text.includes('"jsonrpc"')) return;
  const { entries } = endpoint.sandbox ? VerifyProblem : ErrorBody;
  const { code } = v.parse(v.strictObject(entries), JSON.parse(text));
  expect(STATUSES[code]?.status).toBe(response.status);
  const sandbox = endpoint.sandbox ? Object.keys(SANDBOX_ERRORS) : [];
  if (isDeclared && endpoint !== MCP) expect([...errorsOf(endpoint), ...sandbox]).toContain(code);
  if (response.status === 401) expect(response.headers.has("www-authenticate")).toBe(true);
  if (response.status === 429) expect(response.headers.has("retry-after")).toBe(true);
}

/** Checks a success: the declared status, type, and schema. */
function checkSuccess(response: Response, text: string, endpoint: Endpoint): void {
  if (endpoint === MCP) return;
  const { success, format } = endpoint;
  expect(response.status).toBe(success.status);
  const type = response.headers.get("content-type")?.split(";")[0];
  if (success.schema === undefined || type === success.alternative?.mediaType) return;
  expect(type).toBe(format === "ndjson" ? "application/x-ndjson" : "application/json");
  const lines = format === "ndjson" ? text.split("\n").filter((line) => line !== "") : [text];
  for (const line of lines) v.parse(success.schema, JSON.parse(line));
}

/** Sends a request and checks the response. Returns its status. */
async function send(request: RandomRequest): Promise<number> {
  const response = await worker.fetch(request.path, request);
  const text = await response.text();
  expect(response.status, text).toBeLessThan(500);
  expect(response.headers.get("x-request-id")).toMatch(/^req_\w+$/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  if (response.status >= 400) checkError(response, text, request);
  else if (request.isDeclared) checkSuccess(response, text, OPERATIONS.get(request.operation)!);
  return response.status;
}

test(
  `${REQUESTS} random requests, from valid to broken, get declared responses`,
  async () => {
    const statuses = new Set<number>();
    const succeeded = new Set<string>();
    for (let round = 0; round < REQUESTS / ROUND; round++) {
      const requests = fc.array(randomRequests(await createSenders(worker)), {
        minLength: AT_ONCE,
        maxLength: AT_ONCE,
      });
      const property = fc.asyncProperty(requests, async (sent) => {
        for (const [index, status] of (await Promise.all(sent.map(send))).entries()) {
          statuses.add(status);
          if (status < 300) succeeded.add(sent[index]!.operation);
        }
      });
      await fc.assert(property, { seed: SEED + round, numRuns: ROUND / AT_ONCE });
    }
    expect(worker.logs().filter((line) => line.includes('"event":"failure"'))).toStrictEqual([]);
    // Otherwise it would test nothing.
    expect(succeeded.size).toBeGreaterThan(ENDPOINTS.length / 2);
    expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 413, 415]));
  },
  longOrShort(3_600_000, 300_000),
);
