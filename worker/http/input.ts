import { bodyLimit } from "hono/body-limit";
import type { InferOutput } from "valibot";
import { checkBody } from "../../contract/body.ts";
import type { BodySchema } from "../../contract/body.ts";
import type { Endpoint } from "../../contract/endpoints/endpoint.ts";
import { BODY_TIMEOUT_SECONDS, MAX_BODY_BYTES } from "../../contract/limits.ts";
import { ApiError, validationFailed } from "../platform/errors.ts";
import type { RequestContext } from "./context.ts";

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", { message: `The request body is larger than ${maxBytes / 1024} KB.` });
}

/** Rejects a body that is declared too large, before anything else. @throws ApiError 413 */
export function checkDeclaredSize(c: RequestContext, { maxBytes = MAX_BODY_BYTES }: Pick<Endpoint, "maxBytes">): void {
  // The runtime drops Content-Length if the body is chunked.
  if (Number(c.req.header("Content-Length") ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

/** The text of a body of unknown length. @throws ApiError 413 */
async function readUndeclared(c: RequestContext, maxBytes: number): Promise<string> {
  const onError = () => {
    throw tooLarge(maxBytes);
  };
  // Replaces the request with one whose body has been read and is within the limit.
  await bodyLimit({ maxSize: maxBytes, onError })(c, async () => {});
  return c.req.raw.text();
}

/**
 * The body's text.
 * @throws ApiError 413 when it is too large, 408 when it takes too long, 400 INVALID_JSON when it is cut off or
 * malformed, or the sender disconnects
 */
async function readText(c: RequestContext, maxBytes: number): Promise<string> {
  // `checkDeclaredSize` has checked a length.
  const isDeclared = c.req.header("Content-Length") !== undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError("REQUEST_TIMEOUT")), BODY_TIMEOUT_SECONDS * 1000);
  });
  try {
    return await Promise.race([isDeclared ? c.req.raw.text() : readUndeclared(c, maxBytes), late]);
  } catch (error) {
    if (error instanceof ApiError) throw error;
    // Only the caller can make reading fail, so this is never our failure.
    throw new ApiError("INVALID_JSON", { message: "The request body is incomplete or malformed." });
  } finally {
    clearTimeout(timer);
  }
}

/** JSON is always UTF-8 (RFC 8259, 8.1), so a charset parameter saying that is harmless. */
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

const NDJSON_TYPE = /^application\/x-ndjson *(?:; *charset="?utf-8"? *)?$/i;

/** @throws ApiError 415 */
function checkMediaType(c: RequestContext, { format }: Pick<Endpoint, "format"> = {}): void {
  const type = c.req.header("Content-Type") ?? "";
  if (format === "ndjson" && !NDJSON_TYPE.test(type)) {
    const message = "The request body must be lines of JSON, with the Content-Type: application/x-ndjson header.";
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message });
  }
  if (format === undefined && !JSON_TYPE.test(type)) throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  const encoding = c.req.header("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message: "The request body must not be compressed." });
  }
}

/** What bytes that are not UTF-8 decode to. Nobody sends it on purpose: JSON can write it as \ufffd. */
const REPLACEMENT = "\ufffd";

/** @throws ApiError 400 INVALID_JSON */
export function parseJson(text: string): unknown {
  if (text === "") throw new ApiError("INVALID_JSON", { message: "The request body is empty." });
  if (text.includes(REPLACEMENT)) throw new ApiError("INVALID_JSON", { message: "The request body isn't UTF-8." });
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("INVALID_JSON");
  }
}

/** A request whose body has arrived, which may have taken long, and the visitor who sent it. */
export interface Read<V, Text = string | null> {
  readonly visitor: V;
  /** The body's text, unchecked; null without one, or for a stream, which reads its own. */
  readonly text: Text;
}

/** A request whose caller may still act after that. */
export interface Admitted<C> {
  readonly caller: C;
  readonly text: string | null;
}

/**
 * Waits for a body of JSON.
 * @throws ApiError 415 when it is not declared as JSON or is compressed, 408 when it doesn't arrive in time, 413, or 400
 * INVALID_JSON
 */
export async function readJsonText<V>(c: RequestContext, maxBytes: number, visitor: V): Promise<Read<V, string>> {
  checkMediaType(c);
  return { visitor, text: await readText(c, maxBytes) };
}

/** The step that waits for the body. @throws ApiError as `readJsonText` */
export async function readBody<V>(c: RequestContext, endpoint: Endpoint, visitor: V): Promise<Read<V>> {
  const { request, format, maxBytes = MAX_BODY_BYTES } = endpoint;
  if (request === undefined) return { visitor, text: null };
  if (format === "ndjson") {
    checkMediaType(c, endpoint);
    return { visitor, text: null };
  }
  if (request.optional !== true || c.req.header("Content-Type") !== undefined)
    return readJsonText(c, maxBytes, visitor);
  if ((await readText(c, maxBytes)) !== "") throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  return { visitor, text: "" };
}

/** An admitted request with its input. */
export interface Checked<C> {
  readonly caller: C;
  readonly input: object;
}

/**
 * Path parameters, query, and body in one object, checked against the operation's schemas. A missing optional body is an
 * empty object.
 * @throws ApiError 400 INVALID_JSON, or VALIDATION_FAILED with the offending fields
 */
export function checkInput<C>(
  c: RequestContext,
  { query, request }: Endpoint,
  { caller, text }: Admitted<C>,
): Checked<C> {
  const fromQuery = query && (readQuery(c, query) as object);
  const body = text === null ? undefined : request?.optional && text === "" ? {} : parseJson(text);
  // Before the check, which may reject them. Other names could be anything.
  if (request !== undefined && typeof body === "object" && body !== null)
    c.set(
      "fields",
      Object.keys(body).filter((name) => Object.hasOwn(request.schema.entries, name)),
    );
  const fromBody = request && body !== undefined && (checked(request.schema, body) as object);
  return { caller, input: { ...fromQuery, ...fromBody, ...c.req.param() } };
}

/**
 * The request's query, checked against a schema. A repeated parameter is rejected as ambiguous.
 * @throws ApiError 400 VALIDATION_FAILED with the offending parameters.
 */
function readQuery<S extends BodySchema>(c: RequestContext, schema: S): InferOutput<S> {
  const repeated = Object.entries(c.req.queries()).filter(
    ([name, values]) => values.length > 1 && Object.hasOwn(schema.entries, name),
  );
  if (repeated.length === 0) return checked(schema, c.req.query());
  const result = checkBody(schema, c.req.query());
  const twice = Object.fromEntries(repeated.map(([name]) => [name, "Must appear only once"]));
  throw validationFailed({ ...(result.ok ? {} : result.fields), ...twice });
}

/** @throws ApiError 400 VALIDATION_FAILED with the offending fields */
export function checked<S extends BodySchema>(schema: S, value: unknown): InferOutput<S> {
  const result = checkBody(schema, value);
  if (result.ok) return result.output;
  throw validationFailed(result.fields);
}
