/** The error classes by their conformance suite names. */
const ERROR_TYPES = {
  authentication: "AuthenticationError",
  quota: "QuotaError",
  rate_limit: "RateLimitError",
  invalid_request: "InvalidRequestError",
  verification_failed: "VerificationFailedError",
  server: "ServerError",
  connection: "ConnectionError",
};

/** All properties of a value and its contents, including hidden ones, as a debugger lists them. */
function propertiesOf(value, seen = new Set()) {
  if (Object(value) !== value) return String(value);
  if (seen.has(value)) return "";
  seen.add(value);
  const shown = Reflect.ownKeys(value).map((name) => `${String(name)}: ${propertiesOf(value[name], seen)}`);
  return `${value.constructor?.name} { ${shown.join(", ")} }`;
}

/** Every textual form of a value on every platform. */
export function textsOf(value) {
  return [String(value), JSON.stringify(value), propertiesOf(value), String(value.stack), String(value.cause)];
}

/** A value with the API's names. */
function named(value) {
  if (Object(value) !== value || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      named(field),
    ]),
  );
}

function toldResponse(response) {
  const { duration_ms: duration, ...rest } = named(response);
  if (!(duration >= 0)) throw new Error(`a response took ${duration} ms`);
  return rest;
}

function toldError(sdk, error) {
  if (!(error instanceof sdk.ChecklineError)) throw error;
  const [type] = Object.entries(ERROR_TYPES).find(([, name]) => error instanceof sdk[name]);
  const { code, message, status, requestId, retryAfter, fields, quota } = error;
  return {
    type,
    code,
    message,
    status,
    request_id: requestId,
    retry_after: retryAfter,
    fields,
    quota: named(quota),
  };
}

function told(sdk, value) {
  if (value instanceof Error) return { error: toldError(sdk, value) };
  if (Array.isArray(value)) return { results: value.map((item) => told(sdk, item)) };
  return { result: named(value) };
}

/** A list's items, up to a limit, and the error that ended it. */
async function collect(sdk, list, most = Infinity) {
  const items = [];
  try {
    for await (const item of list) if (items.push(item) === most) break;
    return { results: items.map((item) => told(sdk, item)) };
  } catch (error) {
    return { results: items.map((item) => told(sdk, item)), ended_by: toldError(sdk, error) };
  }
}

/** The bytes in use; zero on a platform that doesn't say. */
function usedBytes() {
  globalThis.gc?.();
  return globalThis.process?.memoryUsage?.().heapUsed ?? 0;
}

/** Counts the results in order, and how many bytes more are in use at the end than after a tenth of them. */
async function tally(list, numbers) {
  let counted = 0;
  let before = 0;
  for await (const { number } of list) {
    if (number === numbers[counted]) counted += 1;
    if (counted === numbers.length / 10) before = usedBytes();
  }
  return { tally: { counted, grown_bytes: usedBytes() - before } };
}

/** Call options by the SDK's names. */
function optionsOf({
  expect_country: expectCountry,
  accept_types: acceptTypes,
  accept_line_types: acceptLineTypes,
  reject_unallocated: rejectUnallocated,
  idempotency_key: idempotencyKey,
  ...rest
}) {
  return { ...rest, expectCountry, acceptTypes, acceptLineTypes, rejectUnallocated, idempotencyKey };
}

function start(sdk, checkline, { method, number, numbers: given, concurrency, take, tally: isTallied, ...call }) {
  const numbers = given?.map((item) => {
    if (typeof item === "string") return item;
    const { expect_country: expectCountry, ...own } = item;
    return { ...own, expectCountry };
  });
  const options = optionsOf(call);
  if (method === "verify") return checkline.verify(number, options);
  if (method === "lookup") return checkline.lookup(number, options);
  if (method === "quota") return checkline.quota();
  if (method === "lookup_all") return collect(sdk, checkline.lookupAll(numbers, { ...options, concurrency }));
  if (method === "lookup_stream") {
    const items = checkline.lookupStream(numbers, options);
    return isTallied ? tally(items, numbers) : collect(sdk, items, take);
  }
  return checkline.lookupBatch(numbers, options);
}

/**
 * Runs one case of the conformance suite, on any platform, and returns its report. `show` returns everything the
 * platform prints for a value.
 */
export async function carryOut(sdk, { key, base_url: baseUrl, client, call }, show = textsOf) {
  const { timeout_ms: timeoutMs, deadline_ms: deadlineMs, max_retries: maxRetries, max_wait_ms: maxWaitMs } = client;
  const responses = [];
  const onResponse = (response) => responses.push(response);
  let checkline;
  try {
    checkline = new sdk.Checkline({ apiKey: key, baseUrl, timeoutMs, deadlineMs, maxRetries, maxWaitMs, onResponse });
  } catch (rejection) {
    return { rejected: true, texts: show(rejection) };
  }
  const value = await start(sdk, checkline, call).catch((error) => error);
  return {
    ...(["lookup_all", "lookup_stream"].includes(call.method) ? value : told(sdk, value)),
    responses: responses.map(toldResponse),
    ...(value.response && { response: toldResponse(value.response) }),
    texts: [...show(checkline), ...show(value), ...show(responses)],
  };
}
