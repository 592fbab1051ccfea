import { MAX_BATCH_BODY_BYTES } from "../../../contract/limits.ts";
import { API_VERSION } from "../../../contract/origin.ts";
import { ApiError } from "../../platform/errors.ts";
import type { Mount, RequestContext } from "../context.ts";
import { admitKey, identifyKey } from "../caller.ts";
import { checkDeclaredSize, parseJson, readJsonText } from "../input.ts";
import { respond, respondJson } from "../response.ts";
import { callTool, listTools } from "./mcp-tools.ts";
import type { VerificationCall } from "./verification.ts";

const KEY_ONLY = { credential: "key" } as const;

/** How this server introduces itself. */
const SERVER_INFO = { name: "checkline", title: "Checkline", version: API_VERSION };
const INSTRUCTIONS =
  "Phone number verification. An invalid number is a result, not an error; its reason explains why. A suggestion is a guess, so ask before using it. With a test key, an error in a result is a sandbox scenario, and tells nothing about the number.";

/** Without a handshake, then with one, newest first. */
const REVISIONS = ["2026-07-28", "2025-11-25", "2025-06-18"];

/** For results that are the same for every key: clients and proxies may keep them for five minutes. */
const CACHEABLE = { ttlMs: 300_000, cacheScope: "public" } as const;

/** Error codes of JSON-RPC for a body that isn't one message. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** The official server's response to a message, which it loads when someone uses it: 85 KB of the compressed worker. */
async function answerMessage(message: unknown, call: VerificationCall): Promise<Response> {
  const mcp = await import("@modelcontextprotocol/server");
  const { c } = call;

  function createServer() {
    const server = new mcp.Server(SERVER_INFO, {
      capabilities: { tools: {} },
      instructions: INSTRUCTIONS,
      supportedProtocolVersions: REVISIONS,
      cacheHints: { "tools/list": CACHEABLE, "server/discover": CACHEABLE },
    });
    server.setRequestHandler("tools/list", listTools);
    server.setRequestHandler("tools/call", async ({ params }) => {
      const result = await callTool(params.name, params.arguments, call);
      if (result === null) throw new mcp.ProtocolError(mcp.INVALID_PARAMS, "No such tool.");
      return result;
    });
    return server;
  }

  const headers = new Headers(c.req.raw.headers);
  headers.set("Accept", "application/json, text/event-stream");
  const request = new Request(c.req.url, { method: "POST", headers });
  if (await mcp.isLegacyRequest(request, message)) {
    const transport = new mcp.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await createServer().connect(transport);
    return transport.handleRequest(request, { parsedBody: message });
  }
  const handler = mcp.createMcpHandler(createServer, { legacy: "reject", maxSubscriptions: 0 });
  return handler.fetch(request, { parsedBody: message });
}

function rejectBody(c: RequestContext, code: number, message: string): Response {
  return respondJson(c, { jsonrpc: "2.0", id: null, error: { code, message } }, 400);
}

/** The official server's response, with our headers. */
async function answer(text: string, call: VerificationCall): Promise<Response> {
  const { c } = call;
  let message;
  try {
    message = parseJson(text);
  } catch (thrown) {
    if (!(thrown instanceof ApiError) || thrown.code !== "INVALID_JSON") throw thrown;
    c.set("errorCode", thrown.code);
    return rejectBody(c, PARSE_ERROR, thrown.message);
  }
  // Revisions before ours had batches, which would count as one request.
  if (Array.isArray(message)) {
    c.set("errorCode", "VALIDATION_FAILED");
    return rejectBody(c, INVALID_REQUEST, "Send one message per request.");
  }
  const response = await answerMessage(message, call);
  // What the account's activity shows.
  if (!response.ok) c.set("errorCode", response.status === 404 ? "NOT_FOUND" : "VALIDATION_FAILED");
  const body = await response.text();
  return body === "" ? respond(c, null, response.status) : respond(c, body, response.status, "application/json");
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
    return answer(read.text, { key, counted, io, isolate, c });
  });
};
