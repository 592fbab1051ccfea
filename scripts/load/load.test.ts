import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { quantile } from "../../bench/results.ts";
import { parseLimits } from "../load.ts";
import { countedIn, differences, Ledger, sumOf } from "./ledger.ts";
import { judgeMemory } from "./memory.ts";
import type { Customer, Population } from "./population.ts";
import { alarmsIn, describeReport, isExpected, judge, Measurements, readReply } from "./report.ts";
import type { Findings, Reply } from "./report.ts";
import { KINDS, mix, pickKind } from "./traffic.ts";

const PROGRAM = join(import.meta.dirname, "../load.ts");

const customer: Customer = { id: "usr_1", email: "a@example.com", token: "t", keys: { live: "l", test: "t" } };
const POPULATION: Population = {
  customers: [customer],
  frugal: customer,
  greedy: customer,
  rejected: [{ key: "r", code: "API_KEY_REVOKED" }],
  everybody: [customer],
};

function reply(status: number, code: string | null = null, body: unknown = {}): Reply {
  return { status, code, body };
}

describe("the command line", () => {
  test("has defaults, and accepts other limits", () => {
    expect(parseLimits([])).toStrictEqual({ minutes: 10, rate: 50, concurrency: 16 });
    const args = ["--minutes", "0.2", "--rate", "100", "--concurrency", "4"];
    expect(parseLimits(args)).toStrictEqual({ minutes: 0.2, rate: 100, concurrency: 4 });
  });

  test.each([
    ["--minutes", "0"],
    ["--minutes", "61"],
    ["--minutes", "long"],
    ["--rate", "501"],
    ["--rate", "1.5"],
    ["--concurrency", "65"],
    ["--concurrency", "-1"],
    ["--url", "https://example.com"],
  ])("rejects %s %s", (option, value) => {
    expect(() => parseLimits([`${option}=${value}`])).toThrow(option);
  });

  test("exits with 2 when invalid, before anything starts", () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "--rate", "501"], { encoding: "utf8" });
    const message = '--rate must be a whole number above 0 and at most 500, not "501".\n';
    expect([status, stderr]).toStrictEqual([2, message]);
  });
});

describe("a response", () => {
  test("is read with its code, which only errors have", () => {
    expect(readReply(401, '{"code":"INVALID_API_KEY"}')).toMatchObject(
      reply(401, "INVALID_API_KEY", expect.anything()),
    );
    expect(readReply(200, '{"code":"x"}')).toStrictEqual(reply(200, null, { code: "x" }));
    expect(readReply(502, "<html>")).toStrictEqual(reply(502, null, "<html>"));
  });

  test.each([
    [reply(200), ["OK"], true],
    [reply(200), ["INVALID_API_KEY"], false],
    [reply(401, "INVALID_API_KEY"), ["INVALID_API_KEY"], true],
    [reply(401, "INVALID_API_KEY"), ["OK"], false],
    [reply(400, "REJECTED_NETWORK"), ["REJECTED_NETWORK"], true],
    [reply(500, "INVALID_API_KEY"), ["INVALID_API_KEY"], false],
    [reply(400, "NO_SUCH_CODE"), ["NO_SUCH_CODE"], false],
    [reply(500, "INTERNAL_ERROR"), ["INTERNAL_ERROR"], false],
    [reply(502), ["OK"], false],
    [reply(429, "RATE_LIMITED"), ["OK", "RATE_LIMITED"], true],
    [reply(429, "RATE_LIMITED"), ["OK"], false],
    [reply(503, "TEMPORARILY_UNAVAILABLE"), ["OK"], false],
  ])("%j is allowed where %j is expected: %s", (given, expects, may) => {
    expect(isExpected(given, expects)).toBe(may);
  });
});

describe("what counts", () => {
  test.each([
    ["a valid number", reply(200, null, { valid: true }), "live", [1, 0]],
    ["an invalid number", reply(200, null, { valid: false }), "live", [0, 1]],
    ["a sandbox success", reply(200, null, { valid: true, status: "DELIVERED_TO_HANDSET" }), "test", [1, 0]],
    ["a sandbox failure", reply(400, "REJECTED_NETWORK"), "test", [0, 1]],
    ["a batch", reply(200, null, { results: [{ valid: true }, { valid: false }, { valid: true }] }), "live", [2, 1]],
    ["a sandbox batch", reply(200, null, { results: [{ valid: true }, { code: "REJECTED_FORMAT" }] }), "test", [1, 1]],
    ["a malformed request", reply(400, "VALIDATION_FAILED"), "live", [0, 0]],
    ["a rejected key", reply(401, "INVALID_API_KEY"), "live", [0, 0]],
  ] as const)("of %s", (_, given, mode, [success, failure]) => {
    expect(countedIn(given, mode)).toStrictEqual({ success, failure });
  });

  test("is once per call, by account, mode, and outcome", () => {
    const ledger = new Ledger();
    const usage = { userId: "usr_1", mode: "live" } as const;
    const valid = reply(200, null, { valid: true });
    ledger.note(valid, usage);
    for (let sent = 0; sent < 3; sent++) ledger.note(valid, { ...usage, call: "one" });
    ledger.note(valid, { ...usage, call: "another" });
    expect(ledger.totals()).toStrictEqual({ "usr_1 live success": 3 });
    expect([ledger.repeats, sumOf(ledger.totals())]).toStrictEqual([2, 3]);
  });

  test("is compared in both directions", () => {
    const answered = { "a live success": 2, "b live success": 1 };
    const counted = { "a live success": 1, "c test failure": 1 };
    expect(differences(answered, answered)).toStrictEqual([]);
    expect(differences(answered, counted)).toStrictEqual([
      "a live success: 2 answered, 1 counted",
      "b live success: 1 answered, 0 counted",
      "c test failure: 0 answered, 1 counted",
    ]);
  });
});

test("quantiles are by nearest rank", () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1);
  expect([0.5, 0.95, 0.99].map((part) => quantile(values, part))).toStrictEqual([50, 95, 99]);
  expect(quantile([7], 0.5)).toBe(7);
});

describe("memory", () => {
  const megabytes = (...values: number[]) => values.map((value) => value * 2 ** 20);

  test("is flat when the heap of the last third is like that of the first", () => {
    const report = { first_third_mb: 5, last_third_mb: 8, collections: 9, flat: true };
    expect(judgeMemory(megabytes(5, 6, 5, 20, 6, 7, 8, 8, 7), 10)).toStrictEqual(report);
    expect(judgeMemory(megabytes(5, 8, 11), 1)).toMatchObject({ flat: false });
  });

  test("is not judged after a short run or without samples", () => {
    expect(judgeMemory(megabytes(1, 20, 30), 0.9)).toMatchObject({ flat: null });
    expect(judgeMemory([], 10)).toBeNull();
  });
});

describe("traffic", () => {
  test("may reach a limit only where intended, and never overload the server", () => {
    const expected = (kind: string) => KINDS[kind]!.calls(POPULATION).flatMap(({ expects }) => expects);
    const allowing = (code: string) => Object.keys(KINDS).filter((kind) => expected(kind).includes(code));
    expect(allowing("RATE_LIMITED")).toStrictEqual(["over quota", "over limit", "key change"]);
    expect(allowing("TEMPORARILY_UNAVAILABLE")).toStrictEqual([]);
  });

  test("has every kind as often as its weight says", () => {
    const weights = Object.values(KINDS).map(({ weight }) => weight);
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const picked: Record<string, number> = {};
    for (let at = 0; at < 10_000; at++) picked[pickKind(at / 10_000)] = (picked[pickKind(at / 10_000)] ?? 0) + 1;
    for (const [name, { weight }] of Object.entries(KINDS)) {
      expect(Math.abs(picked[name]! / 10_000 - weight / total)).toBeLessThan(0.001);
    }
  });

  test("starts with each kind, and sends follow-up calls first", () => {
    const traffic = mix(POPULATION);
    const kinds = new Set<string>();
    while (kinds.size < Object.keys(KINDS).length) {
      const sent = traffic.next();
      kinds.add(sent.kind);
      if (sent.kind !== "key change") continue;
      traffic.follow(sent, reply(201, null, { id: "key_1", api_key: "k" }));
      const revoking = traffic.next();
      expect(revoking.call).toMatchObject({ path: "/api/v1/account/api-keys/key_1", init: { method: "DELETE" } });
      traffic.follow(revoking, reply(200));
      expect(traffic.next().call.expects).toStrictEqual(["API_KEY_REVOKED"]);
    }
  });
});

const FINDINGS: Findings = {
  at: "2026-01-01T00:00:00.000Z",
  limits: { minutes: 1, rate: 10, concurrency: 4 },
  seconds: 60,
  sent: 600,
  kinds: [],
  responses: { "200": 598, "402 QUOTA_EXCEEDED": 1, "429 RATE_LIMITED": 1 },
  unexpected: {},
  alarms: {},
  memory: { first_third_mb: 5, last_third_mb: 6, collections: 12, flat: true },
  usage: { answered: 5, counted: 5, repeats: 1, differences: [] },
};

describe("a run", () => {
  test("without problems has passed, and reports what it saw", () => {
    const report = judge(FINDINGS);
    expect(report.failures).toStrictEqual([]);
    expect(describeReport(report)).toContain("5 answered, 5 counted, 1 repeats left out\n\nPassed.\n");
  });

  test.each([
    ["Nothing was sent.", { sent: 0 }],
    ["2 requests got no response.", { sent: 602 }],
    ["No response was one that counts.", { usage: { ...FINDINGS.usage, answered: 0, counted: 0 } }],
    ["No response was 402 QUOTA_EXCEEDED.", { responses: { "200": 599, "429 RATE_LIMITED": 1 } }],
    ["No response was 429 RATE_LIMITED.", { responses: { "200": 599, "402 QUOTA_EXCEEDED": 1 } }],
    ["Unexpected response: verify live: 502, 2 times", { unexpected: { "verify live: 502": 2 } }],
    ["In the log: usage_lost, 1 times", { alarms: { usage_lost: 1 } }],
    ["The heap was not measured.", { memory: null }],
    ["The heap has grown.", { memory: { ...FINDINGS.memory!, flat: false } }],
    ["Usage: a: 1 answered, 2 counted", { usage: { ...FINDINGS.usage, differences: ["a: 1 answered, 2 counted"] } }],
  ])("fails with: %s", (failure, change) => {
    const report = judge({ ...FINDINGS, ...change });
    expect(report.failures).toStrictEqual([failure]);
    expect(describeReport(report)).toContain(`Failed:\n  ${failure}\n`);
  });

  test("that is short may skip measuring the heap", () => {
    const limits = { ...FINDINGS.limits, minutes: 0.9 };
    expect(judge({ ...FINDINGS, limits, memory: null }).failures).toStrictEqual([]);
  });

  test("in which every response was 503 has failed", () => {
    const busy = reply(503, "TEMPORARILY_UNAVAILABLE");
    const measurements = new Measurements();
    for (const [kind, { calls }] of Object.entries(KINDS)) {
      measurements.note(kind, busy, { took: 1, expects: calls(POPULATION)[0]!.expects });
    }
    expect(measurements.kinds()[0]).toStrictEqual({ kind: "bad request", requests: 1, p50: 1, p95: 1, p99: 1 });
    const responses = measurements.responses();
    const usage = { ...FINDINGS.usage, answered: 0, counted: 0 };
    const { failures } = judge({
      ...FINDINGS,
      sent: Object.keys(KINDS).length,
      responses,
      unexpected: measurements.unexpected(),
      usage,
    });
    expect(responses).toStrictEqual({ "503 TEMPORARILY_UNAVAILABLE": Object.keys(KINDS).length });
    expect(failures.length).toBe(3 + Object.keys(KINDS).length);
    expect(failures).toContain("Unexpected response: verify live: 503 TEMPORARILY_UNAVAILABLE, 1 times");
  });

  test("treats as an alarm every logged error that is not a request line, and two warnings", () => {
    const logged = (level: string, event: string) => ({ level, message: JSON.stringify({ level, event, x: 1 }) });
    const alarming = [logged("error", "failure"), logged("error", "mail"), logged("warn", "usage_not_recorded")];
    const others = [logged("error", "request"), logged("info", "request"), logged("warn", "backstop_failed")];
    const runtime = { level: "error", message: "Uncaught Error: something" };
    const lines = [...alarming, logged("warn", "status_check_failed"), ...others, runtime, runtime];
    expect(alarmsIn([...lines, { level: "info", message: "not ours" }])).toStrictEqual({
      failure: 1,
      mail: 1,
      usage_not_recorded: 1,
      status_check_failed: 1,
      "a runtime line": 2,
    });
  });
});
