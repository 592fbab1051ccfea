import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { classOf, isExpected, isNamed } from "./answers.ts";
import type { Answer } from "./answers.ts";
import { assertLoopback, parseLimits } from "./arguments.ts";
import { countedIn, differences, Ledger, sumOf, withoutDays } from "./ledger.ts";
import { Measurements, percentile } from "./measurements.ts";
import { judgeMemory, memoryOf, workerdProcesses } from "./memory.ts";
import { KINDS, pickKind } from "./traffic.ts";

const PROGRAM = join(import.meta.dirname, "../load.ts");

function answer(status: number, code: string | null = null, body: unknown = {}): Answer {
  return { status, code, body };
}

describe("the command line", () => {
  test("has limits of its own, and takes others", () => {
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
  ])("refuses %s %s", (option, value) => {
    expect(() => parseLimits([`${option}=${value}`])).toThrow(option);
  });

  test("ends with 2 when it is wrong, before anything is started", () => {
    const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "--rate", "501"], { encoding: "utf8" });
    expect([status, stderr]).toStrictEqual([2, '--rate must be a number above 0 and at most 500, not "501".\n']);
  });
});

test("load goes to this machine only", () => {
  for (const url of ["http://127.0.0.1:8787/", "http://localhost/", "http://[::1]:80/"]) assertLoopback(url);
  for (const url of ["https://checkline.example/", "http://127.0.0.1.example.com/", "http://10.0.0.1/"]) {
    expect(() => assertLoopback(url)).toThrow("this machine only");
  }
});

describe("an answer", () => {
  test.each([
    [answer(200), "200", true],
    [answer(401, "INVALID_API_KEY"), "401 INVALID_API_KEY", true],
    [answer(400, "REJECTED_NETWORK"), "400 REJECTED_NETWORK", true],
    [answer(500, "INTERNAL_ERROR"), "500 INTERNAL_ERROR", false],
    [answer(500, "INVALID_API_KEY"), "500 INVALID_API_KEY", false],
    [answer(400, "NO_SUCH_CODE"), "400 NO_SUCH_CODE", false],
    [answer(502), "502", false],
    [answer(0), "no answer", false],
  ])("%j is of a class, which the contract names or not", (given, name, named) => {
    expect([classOf(given), isNamed(given)]).toStrictEqual([name, named]);
  });

  test("is expected when its kind allows it, and not for being busy", () => {
    expect(isExpected(answer(200), ["OK"])).toBe(true);
    expect(isExpected(answer(200), ["INVALID_API_KEY"])).toBe(false);
    expect(isExpected(answer(401, "INVALID_API_KEY"), ["OK"])).toBe(false);
    expect(isExpected(answer(429, "RATE_LIMITED"), ["OK", "RATE_LIMITED"])).toBe(true);
    expect(isExpected(answer(429, "RATE_LIMITED"), ["OK"])).toBe(false);
    expect(isExpected(answer(503, "TEMPORARILY_UNAVAILABLE"), ["OK"])).toBe(false);
    expect(isExpected(answer(500, "INTERNAL_ERROR"), ["INTERNAL_ERROR"])).toBe(false);
  });
});

describe("what counts", () => {
  test.each([
    ["a valid number", answer(200, null, { valid: true }), "live", [1, 0]],
    ["one that is not", answer(200, null, { valid: false }), "live", [0, 1]],
    ["a sandbox success", answer(200, null, { valid: true, status: "DELIVERED_TO_HANDSET" }), "test", [1, 0]],
    ["a sandbox failure", answer(400, "REJECTED_NETWORK"), "test", [0, 1]],
    ["a batch", answer(200, null, { results: [{ valid: true }, { valid: false }, { valid: true }] }), "live", [2, 1]],
    ["a sandbox batch", answer(200, null, { results: [{ valid: true }, { code: "REJECTED_FORMAT" }] }), "test", [1, 1]],
    ["a malformed request", answer(400, "VALIDATION_FAILED"), "live", [0, 0]],
    ["a refused key", answer(401, "INVALID_API_KEY"), "live", [0, 0]],
    ["no answer", answer(0), "live", [0, 0]],
  ] as const)("of %s", (_, given, mode, [success, failure]) => {
    expect(countedIn(given, mode)).toStrictEqual({ success, failure });
  });

  test("is once for one call, by account, mode, day and outcome", () => {
    const ledger = new Ledger();
    const about = { userId: "usr_1", mode: "live" } as const;
    const valid = answer(200, null, { valid: true });
    ledger.note(valid, about);
    for (let sent = 0; sent < 3; sent++) ledger.note(valid, { ...about, call: "one" });
    ledger.note(valid, { ...about, call: "another" });
    const day = new Date().toISOString().slice(0, 10);
    expect(ledger.totals()).toStrictEqual({ [`usr_1 live ${day} success`]: 3 });
    expect([ledger.repeats, sumOf(ledger.totals())]).toStrictEqual([2, 3]);
  });

  test("is compared in both directions, and without days over midnight", () => {
    const answered = { "a live 2026-01-01 success": 2, "b live 2026-01-01 success": 1 };
    const counted = { "a live 2026-01-01 success": 1, "a live 2026-01-02 success": 1, "c test 2026-01-01 failure": 1 };
    expect(differences(answered, answered)).toStrictEqual([]);
    expect(differences(answered, counted)).toStrictEqual([
      "a live 2026-01-01 success: 2 answered, 1 counted",
      "a live 2026-01-02 success: 0 answered, 1 counted",
      "b live 2026-01-01 success: 1 answered, 0 counted",
      "c test 2026-01-01 failure: 0 answered, 1 counted",
    ]);
    expect(differences(withoutDays(answered), withoutDays(counted))).toHaveLength(2);
  });
});

describe("measurements", () => {
  test("have percentiles by nearest rank", () => {
    const values = Array.from({ length: 100 }, (_, index) => index + 1);
    expect([50, 95, 99].map((percent) => percentile(values, percent))).toStrictEqual([50, 95, 99]);
    expect([percentile([7], 50), percentile([], 99)]).toStrictEqual([7, 0]);
  });

  test("are kept by kind, class and whether they were to be expected", () => {
    const measurements = new Measurements();
    measurements.note("verify", answer(200), { took: 3, expects: ["OK"] });
    measurements.note("verify", answer(500, "INTERNAL_ERROR"), { took: 5, expects: ["OK"] });
    expect(measurements.kinds()).toStrictEqual([{ kind: "verify", requests: 2, p50: 3, p95: 5, p99: 5 }]);
    expect(measurements.answers()).toStrictEqual({ "200": 1, "500 INTERNAL_ERROR": 1 });
    expect(measurements.unexpected()).toStrictEqual({ "verify: 500 INTERNAL_ERROR": 1 });
  });
});

describe("memory", () => {
  const MB = 2 ** 20;
  const megabytes = (...values: number[]) => values.map((value) => value * MB);

  test("is flat when the heap of the last third is like that of the first, whatever the process does", () => {
    const heap = megabytes(5, 6, 5, 20, 6, 7, 8, 8, 7);
    const report = judgeMemory({ heap, process: megabytes(200, 300, 400) }, 10);
    expect(report).toStrictEqual({
      heap_first_third_mb: 5,
      heap_last_third_mb: 8,
      process_first_third_mb: 200,
      process_last_third_mb: 400,
      collections: 9,
      flat: true,
    });
    expect(judgeMemory({ heap: megabytes(5, 8, 11), process: [] }, 1)).toMatchObject({ flat: false });
  });

  test("is not judged after a short run or without samples", () => {
    expect(judgeMemory({ heap: megabytes(1, 20, 30), process: [] }, 0.9)).toMatchObject({ flat: null });
    expect(judgeMemory({ heap: [], process: megabytes(1, 2, 3) }, 10)).toBeNull();
  });

  test.runIf(process.platform === "linux")("is read of processes, of which workerd is none here", async () => {
    expect(await memoryOf([process.pid])).toBeGreaterThan(10 * MB);
    expect(await memoryOf([2 ** 30])).toBe(0);
    expect(await workerdProcesses()).toStrictEqual([]);
  });
});

describe("traffic", () => {
  test("may be refused by a limit where it means to be, and nowhere answered that a part is busy", () => {
    const allowing = (code: string) => Object.keys(KINDS).filter((name) => KINDS[name]!.expects.includes(code));
    expect(allowing("RATE_LIMITED")).toStrictEqual(["over quota", "over limit"]);
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
});
