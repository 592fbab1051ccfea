import { Buffer } from "node:buffer";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { RequestContext } from "./context.ts";

/** Revisions of the Model Context Protocol whose clients open with `initialize`, newest first. Earlier ones require batches. */
export const HANDSHAKE_REVISIONS = ["2025-11-25", "2025-06-18"] as const;

/** Revisions in which each request carries its own metadata, newest first. */
export const STATELESS_REVISIONS = ["2026-07-28"] as const;

const REVISIONS: readonly unknown[] = [...STATELESS_REVISIONS, ...HANDSHAKE_REVISIONS];

const VERSION_HEADER = "MCP-Protocol-Version";

/** Keys of `_meta`. The client's name and version are optional, and we have no use for them. */
const PROTOCOL_VERSION = "io.modelcontextprotocol/protocolVersion";
const CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
export const SERVER_INFO_KEY = "io.modelcontextprotocol/serverInfo";

/** Error codes of JSON-RPC, then of the protocol. */
export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;
const HEADER_MISMATCH = -32_020;
const UNSUPPORTED_PROTOCOL_VERSION = -32_022;

/** A JSON-RPC error: the message itself can't be served. */
export class RpcError extends Error {
  readonly code: number;
  /** The response's HTTP status. */
  readonly status: ContentfulStatusCode;
  readonly data: object | undefined;

  constructor(code: number, message: string, status: ContentfulStatusCode = 200, data?: object) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = data;
  }
}

export type Params = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Params {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isStateless(revision: unknown): boolean {
  return (STATELESS_REVISIONS as readonly unknown[]).includes(revision);
}

function requireSupported(requested: unknown): void {
  if (requested === undefined || REVISIONS.includes(requested)) return;
  const data = { supported: REVISIONS, requested };
  throw new RpcError(UNSUPPORTED_PROTOCOL_VERSION, "Unsupported protocol version.", 400, data);
}

/** Checks the header that names a message's revision. @throws RpcError for a revision that isn't supported */
export function checkVersionHeader(c: RequestContext): void {
  requireSupported(c.req.header(VERSION_HEADER));
}

/** A header's text. Clients encode what isn't plain ASCII. */
function decoded(header: string | undefined): string | undefined {
  const encoded = header?.match(/^=\?base64\?(.*)\?=$/)?.[1];
  return encoded === undefined ? header : Buffer.from(encoded, "base64").toString();
}

/** Checks that a header repeats what the body says, as proxies may have acted on it. */
function requireHeader(c: RequestContext, name: string, expected: unknown): void {
  if (decoded(c.req.header(name)) === expected) return;
  throw new RpcError(HEADER_MISMATCH, `The ${name} header is missing or differs from the body.`, 400);
}

/**
 * Whether a request uses a revision without a handshake. Checks the metadata that it then needs, in its body and headers.
 * @throws RpcError for a revision that isn't supported, or missing or contradictory metadata
 */
export function checkMetadata(c: RequestContext, method: string, params: Params): boolean {
  const meta = isObject(params["_meta"]) ? params["_meta"] : {};
  const revision = meta[PROTOCOL_VERSION];
  if (revision === undefined && !isStateless(c.req.header(VERSION_HEADER))) return false;
  if (typeof revision !== "string") {
    throw new RpcError(INVALID_PARAMS, `_meta must have ${PROTOCOL_VERSION}, a string.`, 400);
  }
  requireSupported(revision);
  requireHeader(c, VERSION_HEADER, revision);
  if (!isStateless(revision)) return false;
  if (!isObject(meta[CLIENT_CAPABILITIES])) {
    throw new RpcError(INVALID_PARAMS, `_meta must have ${CLIENT_CAPABILITIES}, an object.`, 400);
  }
  requireHeader(c, "Mcp-Method", method);
  if (method === "tools/call") requireHeader(c, "Mcp-Name", params["name"]);
  return true;
}
