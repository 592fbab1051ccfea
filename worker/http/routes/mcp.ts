import * as v from "valibot";
import { bodySchema, described } from "../../../contract/body.ts";
import type { BodySchema } from "../../../contract/body.ts";
import { MAX_BATCH_BODY_BYTES, MAX_BATCH_SIZE } from "../../../contract/limits.ts";
import { jsonSchemaOf, responseSchemaOf } from "../../../contract/json-schema.ts";
import {
  BatchRequest,
  BatchResponse,
  SandboxBatchFailure,
  VerificationResult,
  VerifyRequest,
} from "../../../contract/verification.ts";
import { version } from "../../../package.json";
import { ApiError, tryAgainIn, validationFailed } from "../../platform/errors.ts";
import { explainCode } from "../../verification/explain.ts";
import type { Mount, RequestContext } from "../context.ts";
import { admitKey, identifyKey } from "../caller.ts";
import { describeError } from "../errors.ts";
import { checkDeclaredSize, checked, parseJson, readJsonText } from "../input.ts";
import {
  checkMetadata,
  checkVersionHeader,
  HANDSHAKE_REVISIONS,
  INVALID_PARAMS,
  INVALID_REQUEST,
  isObject,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  RpcError,
  SERVER_INFO_KEY,
  STATELESS_REVISIONS,
} from "../mcp-revision.ts";
import type { Params } from "../mcp-revision.ts";
import { respond, respondJson } from "../response.ts";
import { verifyAll, verifySingle } from "./verification.ts";
import type { VerificationCall } from "./verification.ts";

const KEY_ONLY = { credential: "key" } as const;

/** How this server introduces itself. */
const SERVER_INFO = { name: "checkline", title: "Checkline", version };
const CAPABILITIES = { tools: {} };
const INSTRUCTIONS =
  "Phone number verification. An invalid number is a result, not an error; its reason explains why. A suggestion is a guess, so ask before using it.";

const ExplainRequest = bodySchema({
  code: described(
    v.pipe(v.string("Must be a string"), v.maxLength(64, "Must be at most 64 characters")),
    "A reason, rejected_because, flag, or error code, such as TOO_SHORT.",
  ),
});

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly schema: BodySchema;
  /** Of `structuredContent`: an object, as the protocol requires. */
  readonly output: v.GenericSchema;
  run(args: unknown, call: VerificationCall): Promise<object> | object;
}

/** The tools are self-describing: a model reads nothing else. */
const TOOLS: Readonly<Record<string, Tool>> = {
  verify_number: {
    title: "Verify a phone number",
    description:
      "Checks whether a phone number is valid under its country's numbering plan, and returns country, type, the range's carrier, formats, and a suggestion if it may be mistyped. Doesn't place a call. For a number in national format, include country.",
    schema: VerifyRequest,
    output: v.union([VerificationResult, SandboxBatchFailure]),
    async run(args, call) {
      const request = checked(VerifyRequest, args);
      const answered = await verifySingle(call, request);
      return answered.result ?? { number: request.number, ...answered.failure };
    },
  },
  verify_batch: {
    title: `Verify up to ${MAX_BATCH_SIZE} phone numbers`,
    description: `Verifies up to ${MAX_BATCH_SIZE} phone numbers at once, each a string or an object with its own country. Results are in the order sent.`,
    schema: BatchRequest,
    output: BatchResponse,
    async run(args, call) {
      const request = checked(BatchRequest, args);
      return { results: await verifyAll(call, request) };
    },
  },
  explain_reason: {
    title: "Explain a reason, flag, or error code",
    description: "Explains what a reason, a flag, or an error code means and what to do about it. Doesn't use quota.",
    schema: ExplainRequest,
    output: v.object({ code: v.string(), explanation: v.string() }),
    run(args) {
      const { code } = checked(ExplainRequest, args);
      const explanation = explainCode(code);
      if (explanation === null) throw validationFailed({ code: "Not a reason, flag, or error code of this service" });
      return { code, explanation };
    },
  },
};

function listTools() {
  const annotations = { readOnlyHint: true, openWorldHint: false };
  const tools = Object.entries(TOOLS).map(([name, { title, description, schema, output }]) => {
    const outputSchema = { type: "object", ...responseSchemaOf(output) };
    return { name, title, description, inputSchema: jsonSchemaOf(schema), outputSchema, annotations };
  });
  return { tools };
}

function initialize(params: Params) {
  const requested = HANDSHAKE_REVISIONS.find((known) => known === params["protocolVersion"]);
  return {
    protocolVersion: requested ?? HANDSHAKE_REVISIONS[0],
    capabilities: CAPABILITIES,
    serverInfo: SERVER_INFO,
    instructions: INSTRUCTIONS,
  };
}

function discover() {
  return { supportedVersions: STATELESS_REVISIONS, capabilities: CAPABILITIES, instructions: INSTRUCTIONS };
}

/** A failure as text for a model: tool errors are results it can act on. */
function toolError(c: RequestContext, thrown: unknown) {
  const { error, headers } = describeError(c, thrown);
  c.set("errorCode", error.code);
  const wait = headers["Retry-After"];
  const again = wait === undefined || error.message.includes("Try again") ? "" : ` ${tryAgainIn(Number(wait))}`;
  return { content: [{ type: "text", text: `${error.code}: ${error.message}${again}` }], isError: true };
}

async function callTool(params: Params, call: VerificationCall) {
  const { name, arguments: args = {} } = params;
  const tool = typeof name === "string" && Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
  if (tool === undefined) throw new RpcError(INVALID_PARAMS, "No such tool.");
  try {
    const structuredContent = await tool.run(args, call);
    return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
  } catch (thrown) {
    return toolError(call.c, thrown);
  }
}

type Method = (params: Params, call: VerificationCall) => object | Promise<object>;

const HANDSHAKE_METHODS: Readonly<Record<string, Method>> = {
  initialize,
  ping: () => ({}),
  "tools/list": listTools,
  "tools/call": callTool,
};

/** For results that are the same for every key: clients and proxies may keep them for five minutes. */
const CACHEABLE = { ttlMs: 300_000, cacheScope: "public" };

const STATELESS_METHODS: Readonly<Record<string, Method>> = {
  "server/discover": () => ({ ...discover(), ...CACHEABLE }),
  "tools/list": () => ({ ...listTools(), ...CACHEABLE }),
  "tools/call": callTool,
};

async function serve(method: string, params: Params, call: VerificationCall): Promise<object> {
  const isStateless = checkMetadata(call.c, method, params);
  const methods = isStateless ? STATELESS_METHODS : HANDSHAKE_METHODS;
  const run = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (run === undefined) throw new RpcError(METHOD_NOT_FOUND, "No such method.", isStateless ? 404 : 200);
  const result = await run(params, call);
  return isStateless ? { resultType: "complete", ...result, _meta: { [SERVER_INFO_KEY]: SERVER_INFO } } : result;
}

/** Whether this is an id: no other number would be repeated as it was sent. */
function isId(id: unknown): id is string | number {
  return typeof id === "string" || Number.isSafeInteger(id);
}

/** The response to a message: without a body for a notification, or for a response to nothing we sent. */
async function answerMessage(message: unknown, call: VerificationCall): Promise<Response> {
  const { c } = call;
  const { jsonrpc, id, method, params = {} } = isObject(message) ? message : {};
  const known = isId(id) ? id : null;
  try {
    if (jsonrpc !== "2.0") throw new RpcError(INVALID_REQUEST, "This isn't a JSON-RPC 2.0 message.", 400);
    checkVersionHeader(c);
    if (method === undefined || id === undefined) return respond(c, null, 202);
    if (known === null || typeof method !== "string") {
      throw new RpcError(INVALID_REQUEST, "This isn't a request.", 400);
    }
    if (!isObject(params)) throw new RpcError(INVALID_PARAMS, "Parameters must be an object.");
    return respondJson(c, { jsonrpc, id: known, result: await serve(method, params, call) });
  } catch (thrown) {
    if (!(thrown instanceof RpcError)) throw thrown;
    const { code, message: text, data, status } = thrown;
    // What the account's activity shows.
    if (status !== 200) c.set("errorCode", status === 404 ? "NOT_FOUND" : "VALIDATION_FAILED");
    return respondJson(c, { jsonrpc: "2.0", id: known, error: { code, message: text, data } }, status);
  }
}

/** The response to a body: an error of the protocol if it isn't JSON. */
function answerText(text: string, call: VerificationCall): Response | Promise<Response> {
  const { c } = call;
  try {
    return answerMessage(parseJson(text), call);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== "INVALID_JSON") throw thrown;
    c.set("errorCode", thrown.code);
    return respondJson(c, { jsonrpc: "2.0", id: null, error: { code: PARSE_ERROR, message: thrown.message } }, 400);
  }
}

/**
 * `POST /mcp`: verification for assistants, as streamable HTTP of the Model Context Protocol without sessions. Each
 * message is self-contained and gets a plain JSON response, so there is no GET or DELETE. Each counts as a request, and
 * numbers cost what they do in the API.
 */
export const mountMcp: Mount = (app) => {
  app.post("/mcp", async (c) => {
    c.set("operation", "mcp");
    c.set("route", "/mcp");
    checkDeclaredSize(c, { maxBytes: MAX_BATCH_BODY_BYTES });
    const read = await readJsonText(c, MAX_BATCH_BODY_BYTES, await identifyKey(c, KEY_ONLY));
    const { key, counted } = admitKey(c, KEY_ONLY, read);
    const { io, isolate } = c.var;
    return answerText(read.text, { key, counted, io, isolate, c });
  });
};
