// Never run: tsc checks the types for a program that uses the package, with each platform's types.
import {
  Checkline,
  ChecklineError,
  InvalidReason,
  InvalidRequestError,
  LineType,
  NumberType,
  RateLimitError,
  VerificationFailedError,
} from "checkline";
import type {
  CallOptions,
  ChecklineOptions,
  Fetch,
  LookupResult,
  NumberInput,
  Quota,
  ResponseInfo,
  StreamOptions,
  VerifyResult,
} from "checkline";

const options: ChecklineOptions = { apiKey: undefined, timeoutMs: 5_000, maxRetries: 0, fetch: globalThis.fetch };
const checkline = new Checkline(options);
const own: Fetch = async (url, init) => fetch(url, { ...init, headers: { ...init.headers, "X-Own": "1" } });
const other = new Checkline({ fetch: own });

const call: CallOptions = { country: "BR", idempotencyKey: "order-4711", signal: new AbortController().signal };
const short: VerifyResult = await checkline.verify("+5511987654321");
const result: LookupResult = await checkline.lookup("(11) 98765-4321", call);
if (result.valid) [result.number, result.internationalFormat] satisfies string[];
else [result.reason, result.localFormat] satisfies [InvalidReason, null];
// @ts-expect-error: an invalid number may have no number
result.number satisfies string;
const carrier: string | null = short.carrier;
const lineType: LineType | null = result.lineType;
const later: LineType = "satellite";
const zones: readonly string[] = result.timeZones;
const flags: readonly string[] = result.deliverability.flags;
const possible: boolean = result.possible;
const request: string | null = result.response.requestId;
const version: string | null = result.response.dataVersion;
const logged: ResponseInfo[] = [];
const logging = new Checkline({ maxWaitMs: 0, onResponse: (response) => logged.push(response) });
await logging.lookup("1", { country: null });
for await (const item of checkline.lookupAll(new Set(["1"]), { concurrency: 2 })) {
  if (item instanceof VerificationFailedError) continue;
  item.suggestion?.number satisfies string | undefined;
}
const mixed: NumberInput[] = ["+5511987654321", { number: "020 7946 0018", country: "GB" }];
const accepted: StreamOptions = { acceptTypes: [NumberType.MOBILE], acceptLineTypes: [LineType.MOBILE, "unknown"] };
for await (const item of checkline.lookupStream(mixed, { ...accepted, rejectUnallocated: true })) {
  if (!(item instanceof Error)) item.reason satisfies InvalidReason | null;
}
InvalidReason.TOO_SHORT satisfies "TOO_SHORT";
const quota: Quota = await checkline.quota();

for (const item of await checkline.lookupBatch(["+5511987654321"] as const, call)) {
  const text: string | null = item instanceof VerificationFailedError ? item.code : item.countryName;
  void text;
}

try {
  await checkline.verify("1");
} catch (error) {
  if (error instanceof RateLimitError) error.retryAfter satisfies number | null;
  else if (error instanceof InvalidRequestError) error.fields["number"] satisfies string | undefined;
  else if (error instanceof ChecklineError) [error.code, error.status, error.requestId] satisfies unknown[];
}

// @ts-expect-error: a number is a text
await checkline.verify(5511987654321);
// @ts-expect-error: the number is its own argument
await checkline.lookup({ number: "+5511987654321" });
// @ts-expect-error: a result does not change
result.valid = false;
// @ts-expect-error: a number has only its country
await checkline.lookupBatch([{ number: "1", acceptTypes: ["mobile"] }]);
// @ts-expect-error: an item may be an error
const name = (await checkline.lookupBatch(["1"]))[0]?.countryName;

void [other, carrier, lineType, later, zones, flags, possible, request, version, quota, name];
