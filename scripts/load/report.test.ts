import { describe, expect, test } from "vitest";
import { Measurements } from "./measurements.ts";
import { alarmsIn, describeReport, judge } from "./report.ts";
import type { Findings } from "./report.ts";
import { KINDS } from "./traffic.ts";

const FINDINGS: Findings = {
  at: "2026-01-01T00:00:00.000Z",
  limits: { minutes: 1, rate: 10, concurrency: 4 },
  seconds: 60,
  requests: 600,
  requests_per_second: 10,
  kinds: [],
  answers: { "200": 598, "402 QUOTA_EXCEEDED": 1, "429 RATE_LIMITED": 1 },
  unexpected: {},
  alarms: {},
  memory: {
    heap_first_third_mb: 5,
    heap_last_third_mb: 6,
    process_first_third_mb: 200,
    process_last_third_mb: 300,
    collections: 12,
    flat: true,
  },
  usage: { answered: 5, counted: 5, repeats: 1, by_day: true, differences: [] },
};

describe("a run", () => {
  test("that found nothing wrong has passed, and says what it saw", () => {
    const report = judge(FINDINGS);
    expect(report.failures).toStrictEqual([]);
    expect(describeReport(report)).toContain("5 answered, 5 counted, 1 repeats left out\n\nPassed.\n");
  });

  test.each([
    ["Nothing was asked.", { requests: 0 }],
    ["Nothing was answered that counts.", { usage: { ...FINDINGS.usage, answered: 0, counted: 0 } }],
    ["Nobody was answered 402 QUOTA_EXCEEDED.", { answers: { "200": 599, "429 RATE_LIMITED": 1 } }],
    ["Nobody was answered 429 RATE_LIMITED.", { answers: { "200": 599, "402 QUOTA_EXCEEDED": 1 } }],
    ["Unexpected answer: verify live: no answer, 2 times", { unexpected: { "verify live: no answer": 2 } }],
    ["In the log: usage_lost, 1 times", { alarms: { usage_lost: 1 } }],
    ["The heap was not measured.", { memory: null }],
    ["The heap has grown.", { memory: { ...FINDINGS.memory!, flat: false } }],
    ["Usage: a: 1 answered, 2 counted", { usage: { ...FINDINGS.usage, differences: ["a: 1 answered, 2 counted"] } }],
  ])("fails with: %s", (failure, change) => {
    const report = judge({ ...FINDINGS, ...change });
    expect(report.failures).toStrictEqual([failure]);
    expect(describeReport(report)).toContain(`Failed:\n  ${failure}\n`);
  });

  test("that is short need not have measured the heap", () => {
    const limits = { ...FINDINGS.limits, minutes: 0.9 };
    expect(judge({ ...FINDINGS, limits, memory: null }).failures).toStrictEqual([]);
  });

  test("in which every answer was 503 has failed", () => {
    const busy = { status: 503, code: "TEMPORARILY_UNAVAILABLE", body: {} };
    const measurements = new Measurements();
    for (const [kind, { expects }] of Object.entries(KINDS)) measurements.note(kind, busy, { took: 1, expects });
    const unexpected = measurements.unexpected();
    const usage = { ...FINDINGS.usage, answered: 0, counted: 0 };
    const { failures } = judge({ ...FINDINGS, answers: measurements.answers(), unexpected, usage });
    expect(failures.length).toBe(3 + Object.keys(KINDS).length);
    expect(failures).toContain("Unexpected answer: verify live: 503 TEMPORARILY_UNAVAILABLE, 1 times");
  });

  test("has an alarm in every error of its log that is no line of a request, and in two warnings", () => {
    const logged = (level: string, event: string) => ({ level, message: JSON.stringify({ level, event, x: 1 }) });
    const alarming = ["failure", "mail", "demo_count_failed", "notices_failed"].map((event) => logged("error", event));
    const warnings = ["status_check_failed", "usage_send_failed", "backstop_failed"].map((name) =>
      logged("warn", name),
    );
    const others = [logged("error", "request"), logged("info", "request"), { level: "info", message: "not ours" }];
    const runtime = { level: "error", message: "Uncaught Error: something" };
    expect(alarmsIn([...alarming, ...warnings, ...others, runtime, runtime])).toStrictEqual({
      failure: 1,
      mail: 1,
      demo_count_failed: 1,
      notices_failed: 1,
      status_check_failed: 1,
      usage_send_failed: 1,
      "a line of the runtime": 2,
    });
  });
});
