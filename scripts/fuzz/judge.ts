import * as v from "valibot";
import { errorsOf } from "../../contract/endpoints/endpoint.ts";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { ErrorBody, ERRORS, SANDBOX_ERRORS } from "../../contract/errors.ts";
import type { Outcome, Reply } from "./wire.ts";

/** What is known of a request when its response is judged. */
export interface Expectation {
  readonly endpoint: Endpoint;
  /** Whether method and path are those of the endpoint, so that its declaration says what may come back. */
  readonly isDeclared: boolean;
  /** How many responses have to come; null where the request is so broken that the runtime may refuse it or hang up. */
  readonly replies: number | null;
  /** Whether the responses have no body. */
  readonly isHead: boolean;
}

const CODES: Readonly<Record<string, { readonly status: number }>> = { ...ERRORS, ...SANDBOX_ERRORS };

/** Whether the HTTP server below the worker has refused the request: it never got to any code of ours. */
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

/** Whether it is the error of a message to `POST /mcp` that is no JSON: the protocol has a form for it. */
function isOfProtocol({ status, body }: Reply, { endpoint }: Expectation): boolean {
  return endpoint.id === "mcp" && status === 400 && body.startsWith('{"jsonrpc":"2.0","id":null,"error":{');
}

function errorComplaint(reply: Reply, expected: Expectation): string | null {
  const { endpoint, isDeclared, isHead } = expected;
  if (!isJson(reply)) return `an error as ${reply.headers.get("content-type")}`;
  if (isHead || isOfProtocol(reply, expected)) return null;
  const body = v.safeParse(v.strictObject(ErrorBody.entries), parsed(reply.body));
  if (!body.success) return "an error that is no ErrorBody";
  const { code } = body.output;
  if (CODES[code]?.status !== reply.status) return `${code} with status ${reply.status}`;
  const declared: readonly string[] = [...errorsOf(endpoint), ...(endpoint.sandbox ? Object.keys(SANDBOX_ERRORS) : [])];
  if (isDeclared && !declared.includes(code)) return `${code}, which ${endpoint.id} does not declare`;
  if (reply.status === 401 && !reply.headers.has("www-authenticate")) return "a 401 without WWW-Authenticate";
  return reply.status === 429 && !reply.headers.has("retry-after") ? "a 429 without Retry-After" : null;
}

/** What is wrong with the lines of a stream, or null. */
function linesComplaint({ headers, body }: Reply, { id, success }: Endpoint): string | null {
  if (headers.get("content-type") !== "application/x-ndjson") return `a stream as ${headers.get("content-type")}`;
  const lines = body.split("\n").filter((line) => line !== "");
  const wrong = lines.findIndex((line) => !v.is(success.schema!, parsed(line)));
  return wrong === -1 ? null : `line ${wrong + 1} that is not what ${id} declares`;
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
  return issue === undefined
    ? null
    : `a body that is not what ${id} declares: ${v.getDotPath(issue)}: ${issue.message}`;
}

/** What is wrong with one response, or null. */
function replyComplaint(reply: Reply, expected: Expectation): string | null {
  if (expected.replies === null && isOfRuntime(reply)) return null;
  if (reply.status >= 500) return `a ${reply.status}: ${reply.body.slice(0, 200)}`;
  if (!/^req_\w+$/.test(reply.headers.get("x-request-id") ?? "")) return `a ${reply.status} without a request id`;
  if (!reply.headers.has("x-content-type-options")) return `a ${reply.status} without security headers`;
  if (reply.status >= 400) return errorComplaint(reply, expected);
  return expected.isDeclared ? successComplaint(reply, expected) : null;
}

/** What is wrong with what came back, or null. */
export function complaint({ replies, closed, hung }: Outcome, expected: Expectation): string | null {
  if (hung) return `no end of it in time, after ${replies.length} responses`;
  // The runtime closes the connection where a request was refused before all of its body was read: what followed has to be sent again.
  const isCutOff = closed && (replies.at(-1)?.status ?? 0) >= 400;
  if (expected.replies !== null && replies.length !== expected.replies && !isCutOff) {
    return `${replies.length} responses in place of ${expected.replies}`;
  }
  for (const reply of replies) {
    const wrong = replyComplaint(reply, expected);
    if (wrong !== null) return wrong;
  }
  return null;
}
