import * as v from "valibot";
import { errorsOf } from "../../contract/endpoints/endpoint.ts";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { ErrorBody, ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import type { Outcome, Reply } from "./wire.ts";

/** What is expected of a request's response. */
export interface Expectation {
  readonly endpoint: Endpoint;
  /** Whether method and path match the endpoint, so its declaration applies. */
  readonly isDeclared: boolean;
  /** How many responses must arrive; null if the request is so broken that the runtime may reject it or hang up. */
  readonly replies: number | null;
  /** Whether the responses have no body. */
  readonly isHead: boolean;
}

const CODES: Readonly<Record<string, { readonly status: number }>> = { ...ERRORS, ...SANDBOX_ERRORS };

/** Whether the HTTP server below the worker rejected the request before it reached our code. */
export function isOfRuntime({ status, headers }: Reply): boolean {
  return !headers.has("x-request-id") && ((status >= 400 && status < 500) || status === 501);
}

function isJson({ headers }: Reply): boolean {
  return headers.get("content-type") === "application/json";
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Whether this is the error for a non-JSON message to `POST /mcp`, for which the protocol has its own format. */
function isOfProtocol({ status, body }: Reply, { endpoint }: Expectation): boolean {
  return endpoint.id === "mcp" && status === 400 && body.startsWith('{"jsonrpc":"2.0","id":null,"error":{');
}

function errorComplaint(reply: Reply, expected: Expectation): string | null {
  const { endpoint, isDeclared, isHead } = expected;
  if (!isJson(reply)) return `an error as ${reply.headers.get("content-type")}`;
  if (isHead || isOfProtocol(reply, expected)) return null;
  const body = v.safeParse(v.strictObject(ErrorBody.entries), parsed(reply.body));
  if (!body.success) return "an error that isn't an ErrorBody";
  const { code } = body.output;
  if (CODES[code]?.status !== reply.status) return `${code} with status ${reply.status}`;
  const declared: readonly string[] = [...errorsOf(endpoint), ...(endpoint.sandbox ? Object.keys(SANDBOX_ERRORS) : [])];
  if (isDeclared && !declared.includes(code)) return `${code}, which ${endpoint.id} does not declare`;
  if (reply.status === 401 && !reply.headers.has("www-authenticate")) return "a 401 without WWW-Authenticate";
  return reply.status === 429 && !reply.headers.has("retry-after") ? "a 429 without Retry-After" : null;
}

/** The problem with a stream's lines, or null. */
function linesComplaint({ headers, body }: Reply, { id, success }: Endpoint): string | null {
  if (headers.get("content-type") !== "application/x-ndjson") return `a stream as ${headers.get("content-type")}`;
  const lines = body.split("\n").filter((line) => line !== "");
  const wrong = lines.findIndex((line) => !v.is(success.schema!, parsed(line)));
  return wrong === -1 ? null : `line ${wrong + 1}, which ${id} does not declare`;
}

function successComplaint(reply: Reply, { endpoint, isHead }: Expectation): string | null {
  const { id, success } = endpoint;
  if (reply.status !== success.status) return `${id} with status ${reply.status}`;
  if (success.schema === undefined) return reply.body === "" ? null : "a body where none is declared";
  if (success.alternative?.mediaType === reply.headers.get("content-type")?.split(";")[0]) return null;
  if (endpoint.format === "ndjson") return linesComplaint(reply, endpoint);
  if (!isJson(reply)) return `a success as ${reply.headers.get("content-type")}`;
  if (isHead) return null;
  const [issue] = v.safeParse(success.schema, parsed(reply.body)).issues ?? [];
  return issue === undefined ? null : `a body that ${id} does not declare: ${v.getDotPath(issue)}: ${issue.message}`;
}

/** The problem with one response, or null. */
function replyComplaint(reply: Reply, expected: Expectation): string | null {
  if (expected.replies === null && isOfRuntime(reply)) return null;
  if (reply.status >= 500) return `a ${reply.status}: ${reply.body.slice(0, 200)}`;
  if (!/^req_\w+$/.test(reply.headers.get("x-request-id") ?? "")) return `a ${reply.status} without a request id`;
  if (!reply.headers.has("x-content-type-options")) return `a ${reply.status} without security headers`;
  if (reply.status >= 400) return errorComplaint(reply, expected);
  return expected.isDeclared ? successComplaint(reply, expected) : null;
}

/** The problem with an exchange, or null. */
export function complaint({ replies, closed, hung }: Outcome, expected: Expectation): string | null {
  if (hung) return `no end in time, after ${replies.length} responses`;
  // The runtime closes the connection when it rejects a request before reading its whole body, so what followed must be
  // resent.
  const isCutOff = closed && (replies.at(-1)?.status ?? 0) >= 400;
  if (expected.replies !== null && replies.length !== expected.replies && !isCutOff) {
    return `${replies.length} responses instead of ${expected.replies}`;
  }
  for (const reply of replies) {
    const wrong = replyComplaint(reply, expected);
    if (wrong !== null) return wrong;
  }
  return null;
}
