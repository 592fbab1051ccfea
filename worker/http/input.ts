import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { InferOutput } from "valibot";
import { checkBody } from "../../contract/body.ts";
import type { BodySchema } from "../../contract/body.ts";
import { BODY_TIMEOUT_SECONDS } from "../../contract/limits.ts";
import { ApiError, validationFailed } from "../platform/errors.ts";
import type { AppEnv, RequestContext } from "./context.ts";

/**
 * What was read of a body. The timer ends with it: a request must leave none behind.
 * @throws ApiError 408 when it takes too long; 400 INVALID_JSON when it breaks off, is malformed, or its sender is gone
 */
async function inTime<Value>(reading: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ApiError("REQUEST_TIMEOUT")), BODY_TIMEOUT_SECONDS * 1000);
  });
  try {
    return await Promise.race([reading, late]);
  } catch (error) {
    // Reading fails only by what the caller does, so that it is never a failure of ours.
    if (error instanceof ApiError) throw error;
    throw new ApiError("INVALID_JSON", { message: "The request body broke off or is malformed." });
  } finally {
    clearTimeout(timer);
  }
}

/** Refuses a body over so many bytes before anything else looks at it. */
export function limitBody(maxBytes: number): MiddlewareHandler<AppEnv> {
  const limit = bodyLimit({
    maxSize: maxBytes,
    onError: () => {
      throw new ApiError("PAYLOAD_TOO_LARGE", { message: `The request body is larger than ${maxBytes / 1024} KB.` });
    },
  });
  return async function limitBodyInTime(c, next) {
    // A body that does not say its length is read here as a whole.
    await inTime(limit(c, async () => {}));
    await next();
  };
}

/** JSON is always UTF-8 (RFC 8259, 8.1); a parameter that says so does no harm. */
const JSON_TYPE = /^application\/json *(?:; *charset="?utf-8"? *)?$/i;

function checkMediaType(c: RequestContext): void {
  const type = c.req.header("Content-Type") ?? "";
  if (!JSON_TYPE.test(type)) throw new ApiError("UNSUPPORTED_MEDIA_TYPE");
  const encoding = c.req.header("Content-Encoding")?.trim().toLowerCase() ?? "identity";
  if (encoding !== "identity") {
    throw new ApiError("UNSUPPORTED_MEDIA_TYPE", { message: "The request body must not be compressed." });
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });

function parseJson(bytes: ArrayBuffer): unknown {
  if (bytes.byteLength === 0) throw new ApiError("INVALID_JSON", { message: "The request body is empty." });
  try {
    return JSON.parse(UTF8.decode(bytes));
  } catch {
    throw new ApiError("INVALID_JSON");
  }
}

/**
 * The request's JSON body, checked against a schema. An optional one that was not sent is one without fields.
 * @throws ApiError 415 when it is not declared as JSON or is compressed, 408 when it does not arrive in time, 400 INVALID_JSON, or 400
 * VALIDATION_FAILED with the offending fields.
 */
export async function readBody<S extends BodySchema>(
  c: RequestContext,
  { schema, optional }: { readonly schema: S; readonly optional?: true },
): Promise<InferOutput<S>> {
  const isUndeclared = optional === true && c.req.header("Content-Type") === undefined;
  if (!isUndeclared) checkMediaType(c);
  const bytes = await inTime(c.req.arrayBuffer());
  if (optional === true && bytes.byteLength === 0) return checked(schema, {});
  if (isUndeclared) checkMediaType(c);
  return checked(schema, parseJson(bytes));
}

/**
 * The request's query, checked against a schema. A parameter that is given twice is refused: which one was meant is not known.
 * @throws ApiError 400 VALIDATION_FAILED with the offending parameters.
 */
export function readQuery<S extends BodySchema>(c: RequestContext, schema: S): InferOutput<S> {
  const repeated = Object.entries(c.req.queries()).filter(
    ([name, values]) => values.length > 1 && Object.hasOwn(schema.entries, name),
  );
  if (repeated.length === 0) return checked(schema, c.req.query());
  const result = checkBody(schema, c.req.query());
  const twice = Object.fromEntries(repeated.map(([name]) => [name, "Must be given once"]));
  throw validationFailed({ ...(result.ok ? {} : result.fields), ...twice });
}

function checked<S extends BodySchema>(schema: S, value: unknown): InferOutput<S> {
  const result = checkBody(schema, value);
  if (result.ok) return result.output;
  throw validationFailed(result.fields);
}
