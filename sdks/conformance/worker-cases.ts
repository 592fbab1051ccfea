import { insertApiKey } from "../../worker/keys/api-keys.ts";
import type { Database } from "../../worker/platform/db.ts";
import { utcDay } from "../../worker/platform/time.ts";
import { acceptance } from "../../contract/acceptance.ts";
import type { KeyMode } from "../../contract/limits.ts";
import {
  SANDBOX_FAILURES,
  SANDBOX_SUCCESS_STATUS,
  SANDBOX_SUCCESSES,
  sandboxFailureMessage,
} from "../../contract/sandbox.ts";
import { createAccount, createRevokedKey } from "../../test/factories.ts";
import { verify, verifyOn } from "../../test/engine.ts";
import type { Acceptance } from "../../contract/verification.ts";
import type { Case, Conditions, ErrorOutcome } from "./case.ts";

/** Numbers of several countries and types, and an invalid one. */
const LIVE = [
  { number: "+5511987654321" },
  { number: "+442079460018" },
  { number: "+33123456789" },
  { number: "+18005550199" },
  { number: "(11) 98765-4321", country: "BR" },
  { number: "030 123456 ext. 7", country: "DE" },
  { number: "+999123" },
  { number: "not a number ☎" },
];

function sandboxError(failure: (typeof SANDBOX_FAILURES)[number]): ErrorOutcome {
  return { type: "verification_failed", code: failure.name, message: sandboxFailureMessage(failure) };
}

function sandboxResult(number: string): unknown {
  return { ...verify(number), status: SANDBOX_SUCCESS_STATUS };
}

function sandboxCases(key: string): Case[] {
  const successes = SANDBOX_SUCCESSES.flatMap(({ number, country, title }): Case[] => [
    {
      id: `sandbox-${country}`,
      title: `sandbox: ${title}`,
      key,
      call: { method: "lookup", number },
      played: "worker",
      outcome: { result: sandboxResult(number) },
    },
    {
      id: `sandbox-verify-${country}`,
      title: `sandbox, in short: ${title}`,
      key,
      call: { method: "verify", number },
      played: "worker",
      outcome: { result: { valid: true, carrier: verify(number).carrier } },
    },
  ]);
  const failures = SANDBOX_FAILURES.map((failure): Case => ({
    id: `sandbox-${failure.code}`,
    title: `sandbox: ${failure.name}`,
    key,
    call: { method: "lookup", number: failure.number },
    played: "worker",
    outcome: { error: { ...sandboxError(failure), status: 400 } },
  }));
  const batch: Case = {
    id: "sandbox-batch",
    title: "sandbox: every scenario in one batch",
    key,
    call: { method: "lookup_batch", numbers: [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number) },
    played: "worker",
    outcome: {
      results: [
        ...SANDBOX_SUCCESSES.map(({ number }) => ({ result: sandboxResult(number) })),
        ...SANDBOX_FAILURES.map((failure) => ({ error: sandboxError(failure) })),
      ],
    },
  };
  return [...successes, ...failures, batch];
}

function liveCases(key: string): Case[] {
  const each = LIVE.map((call, index): Case => ({
    id: `live-${index + 1}`,
    title: `live: ${call.number}${call.country ? ` in ${call.country}` : ""}`,
    key,
    call: { method: "lookup", ...call },
    played: "worker",
    outcome: { result: verify(call.number, call.country) },
  }));
  const numbers = LIVE.map(({ number }) => number);
  const batch: Case = {
    id: "live-batch",
    title: "live: a batch of national numbers from Brazil",
    key,
    call: { method: "lookup_batch", numbers, country: "BR" },
    played: "worker",
    outcome: { results: numbers.map((number) => ({ result: verify(number, "BR") })) },
  };
  return [...each, batch];
}

/** A number from another country, one on another type of line, and one in a range that nobody has. */
function rejectionCases(key: string): Case[] {
  const country: Case = {
    id: "live-other-country",
    title: "live: a number from a country that the caller doesn't accept",
    key,
    call: { method: "lookup", number: "+5511987654321", expect_country: "PT", accept_types: ["mobile"] },
    played: "worker",
    outcome: { result: { ...verify("+5511987654321"), accepted: false, rejected_because: "OTHER_COUNTRY" } },
  };
  return [
    country,
    ...conditionCases(key, "line-type", "+12027621401", { accept_line_types: ["mobile", "unknown"] }),
    ...conditionCases(key, "unallocated", "+14487728519", { reject_unallocated: true }),
  ];
}

/** A number with conditions, alone and in every list. */
function conditionCases(key: string, name: string, number: string, conditions: Conditions): Case[] {
  // On today's registers: once the committed one is too old, no range is unassigned.
  const found = verifyOn(number, undefined, utcDay(Date.now()));
  const result = { ...found, ...acceptance(found, conditions as Acceptance) };
  const single: Case = {
    id: `live-${name}`,
    title: `live: ${JSON.stringify(conditions)}`,
    key,
    call: { method: "lookup", number, ...conditions },
    played: "worker",
    outcome: { result },
  };
  const lists = (["lookup_batch", "lookup_all", "lookup_stream"] as const).map((method): Case => ({
    ...single,
    id: `${single.id}-${method.replace("lookup_", "")}`,
    title: `${single.title}, with ${method}`,
    call: { method, numbers: [number], ...conditions },
    outcome: { results: [{ result }] },
  }));
  return [single, ...lists];
}

/** Numbers of six countries, in order, as people have them: in national format, with their country, and an empty row. */
const COUNTRIES = [
  { number: "(11) 98765-4321", country: "BR" },
  { number: "020 7946 0018", country: "GB" },
  "+33 1 23 45 67 89",
  { number: "030 123456", country: "DE" },
  { number: "", country: "ES" },
  { number: "612 34 56 78", country: "ES" },
  { number: "03-1234-5678", country: "JP" },
  { number: "202 555", country: "US" },
] as const;

/** One list in every way to send it: the results are the same. */
function countryCases(key: string): Case[] {
  const results = COUNTRIES.map((item) => ({
    result: typeof item === "string" ? verify(item) : verify(item.number, item.country),
  }));
  return (["lookup_batch", "lookup_all", "lookup_stream"] as const).map((method) => ({
    id: `live-countries-${method.replace("lookup_", "")}`,
    title: `live: six countries in one list, with ${method}`,
    key,
    call: { method, numbers: COUNTRIES },
    played: "worker",
    outcome: { results },
  }));
}

/** Invalid numbers outside the sandbox's own, of which the short one is a 400 alone: with every method, results. */
function invalidCases(key: string): Case[] {
  const numbers = [
    { number: "202 555", country: "US" },
    { number: "20", country: "US" },
  ];
  const results = numbers.map(({ number, country }) => ({ result: verify(number, country) }));
  const single = numbers.map((item, index): Case => ({
    id: `sandbox-invalid-${index + 1}`,
    title: `sandbox: ${item.number} is invalid`,
    key,
    call: { method: "lookup", ...item },
    played: "worker",
    outcome: results[index]!,
  }));
  const lists = (["lookup_batch", "lookup_stream"] as const).map((method): Case => ({
    id: `sandbox-invalid-${method.replace("lookup_", "")}`,
    title: `sandbox: invalid numbers have results, with ${method}`,
    key,
    call: { method, numbers },
    played: "worker",
    outcome: { results },
  }));
  return [...single, ...lists];
}

/** Every sandbox scenario, and a number with an unknown country. */
function streamCase(key: string): Case {
  const numbers = [...SANDBOX_SUCCESSES, ...SANDBOX_FAILURES].map(({ number }) => number);
  return {
    id: "sandbox-stream",
    title: "sandbox: every scenario in one stream, and a number that is rejected",
    key,
    call: { method: "lookup_stream", numbers: [...numbers, { number: "1", country: "AQ" }] },
    played: "worker",
    outcome: {
      results: [
        ...SANDBOX_SUCCESSES.map(({ number }) => ({ result: sandboxResult(number) })),
        ...SANDBOX_FAILURES.map((failure) => ({ error: { ...sandboxError(failure), status: 400 } })),
        { error: { type: "invalid_request", code: "VALIDATION_FAILED", status: 400 } },
      ],
    },
  };
}

/** The service accepts the same form of Idempotency-Key as the SDKs. */
function ownKeyCase(key: string): Case {
  return {
    id: "live-own-idempotency-key",
    title: "live: the caller's Idempotency-Key",
    key,
    call: { method: "lookup", number: "+5511987654321", idempotency_key: "order!4711~" },
    played: "worker",
    outcome: { result: verify("+5511987654321") },
  };
}

function rejectedCases(testKey: string, revokedKey: string): Case[] {
  const call = { method: "lookup", number: "+5511987654321" } as const;
  return [
    {
      id: "worker-revoked-key",
      title: "the service rejects a revoked key",
      key: revokedKey,
      call,
      played: "worker",
      outcome: { error: { type: "authentication", code: "API_KEY_REVOKED", status: 401 } },
    },
    {
      id: "worker-no-key",
      title: "the service rejects an invalid key",
      key: "ch_test_notakey",
      call,
      played: "worker",
      outcome: { error: { type: "authentication", code: "INVALID_API_KEY", status: 401 } },
    },
    {
      id: "worker-country",
      title: "the service lists the invalid field",
      key: testKey,
      call: { ...call, country: "Brazil" },
      played: "worker",
      outcome: {
        error: {
          type: "invalid_request",
          code: "VALIDATION_FAILED",
          status: 400,
          fields: { country: "Must be an ISO 3166-1 alpha-2 country code, such as US" },
        },
      },
    },
  ];
}

/** The cases served by the real worker, for a separate account. Expectations come from contract and engine. */
export async function workerCases(db: Database): Promise<Case[]> {
  const userId = await createAccount(db);
  async function key(mode: KeyMode): Promise<string> {
    return (await insertApiKey({ db, now: Date.now(), userId, mode, name: "conformance" })).apiKey;
  }
  const test = await key("test");
  const live = await key("live");
  return [
    ...sandboxCases(test),
    streamCase(test),
    ...invalidCases(test),
    ...countryCases(live),
    ...liveCases(live),
    ...rejectionCases(live),
    ownKeyCase(live),
    ...rejectedCases(test, await createRevokedKey(db, "live")),
  ];
}
