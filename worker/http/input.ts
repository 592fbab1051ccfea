import { bodyLimit } from "hono/body-limit";
import type { InferOutput } from "valibot";
import { checkBody } from "../../contract/body.ts";
import type { BodySchema } from "../../contract/body.ts";
import { BODY_TIMEOUT_SECONDS } from "../../contract/limits.ts";
import { ApiError, validationFailed } from "../platform/errors.ts";
import { requestHeader } from "./context.ts";
import type { RequestContext } from "./context.ts";

function tooLarge(maxBytes: number): ApiError {
  return new ApiError("PAYLOAD_TOO_LARGE", { message: `The request body is larger than ${maxBytes / 1024} KB.` });
}

/**
 * Rejects a body that is declared too large, before anything else, and records whether its size is declared.
 * @throws ApiError 413
 */
export function checkDeclaredSize(c: RequestContext, maxBytes: number): void {
  // The runtime drops Content-Length if the body is chunked.
  const declared = requestHeader(c, "Content-Length");
  if (declared === undefined) return;
  if (Number(declared) > maxBytes) throw tooLarge(maxBytes);
  c.get("state").hasDeclaredSize = true;
}

/**
 * Reads a body within the time limit. Clears its timer: a request must leave none behind.
 * @throws ApiError 408 when it takes too long; 400 INVALID_JSON when it is cut off or malformed, or the sender
 * disconnects
 */
function inTime<Value>(reading: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ApiError("REQUEST_TIMEOUT")), BODY_TIMEOUT_SECONDS * 1000);
    reading.then(
      (value) => {
        clearTimeout(timer);
        return resolve(value);
      },
      (error: unknown) => {
        clearTimeout(timer);
        // Only the caller can make reading fail, so this is never our failure.
        const message = "The request body is incomplete or malformed.";
        return reject(error instanceof ApiError ? error : new ApiError("INVALID_JSON", { message }));
      },
    );
  });
}

/** The body's text, after `checkDeclaredSize`. @throws ApiError 413; otherwise as `inTime` */
function readText(c: RequestContext, maxBytes: number): Promise<string> {
  if (c.get("state").hasDeclaredSize) return inTime(c.req.raw.text());
  const onError = (): never => {
    throw tooLarge(maxBytes);
  };
  const limited = async () => {
    await bodyLimit({ maxSize: maxBytes, onError })(c, async () => {});
    return c.req.text();
  };
  return inTime(limited());
}

/** JSON is always UTF-8 (RFC 8259, 8.1), so a charset parameter saying that is harmless. */
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

const NDJSON_TYPE = /^application\/x-ndjson *(?:; *charset="?utf-8"? *)?$/i;

/** @throws ApiError 415 */
export function checkMediaType(c: RequestContext, format?: "ndjson"): void {
  const type = requestHeader(c, "Content-Type") ?? "";
  if (format === "ndjson" && !NDJSON_TYPE.test(type)) {
    const message = "The request body must be lines of JSON, with the Content-Type: application/x-ndjson header.";
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message });
  }
  if (format === undefined && !JSON_TYPE.test(type)) throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  const encoding = requestHeader(c, "Content-Encoding")?.trim().toLowerCase() ?? "identity";
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

interface RequestBody<S extends BodySchema> {
  readonly maxBytes: number;
  readonly schema: S;
  readonly optional?: true;
  readonly quick?: (value: unknown) => InferOutput<S> | null;
}

/**
 * The request's JSON body.
 * @throws ApiError 415 when it is not declared as JSON or is compressed, 408 when it doesn't arrive in time, 400
 * INVALID_JSON
 */
export async function readJson(c: RequestContext, maxBytes: number): Promise<unknown> {
  checkMediaType(c);
  return parseJson(await readText(c, maxBytes));
}

/**
 * The request's JSON body, checked against a schema. A missing optional body is an empty object.
 * @throws ApiError as `readJson`, or 400 VALIDATION_FAILED with the offending fields.
 */
export function readBody<S extends BodySchema>(
  c: RequestContext,
  { maxBytes, schema, optional, quick }: RequestBody<S>,
): Promise<InferOutput<S>> {
  const isUndeclared = optional === true && requestHeader(c, "Content-Type") === undefined;
  if (!isUndeclared) checkMediaType(c);
  return readText(c, maxBytes).then((text) => {
    if (optional === true && text === "") return checked(schema, {});
    if (isUndeclared) checkMediaType(c);
    const value = parseJson(text);
    return quick?.(value) ?? checked(schema, value);
  });
}

/**
 * The request's query, checked against a schema. A repeated parameter is rejected as ambiguous.
 * @throws ApiError 400 VALIDATION_FAILED with the offending parameters.
 */
export function readQuery<S extends BodySchema>(c: RequestContext, schema: S): InferOutput<S> {
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
