/**
 * Requests over HTTP, through a direct socket of workerd: `npm run bench -- http`, or with `--seconds 5` for a shorter
 * run. Compares verify (a warm live key, limiter and metering on), a batch, and rejections with bare Hono routes whose
 * responses are as long, and with a naive implementation. CPU time is workerd's, so other programs on the machine
 * affect it little; they do affect throughput and latency. Prints a table and writes bench/results/http.json. Compare
 * the ratios: machines differ.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../scripts/local/run.ts";
import { createKey } from "../test/factories.ts";
import { shuffled } from "../test/seeded.ts";
import type { Database } from "../worker/platform/db.ts";
import { generateKey } from "../worker/keys/key-format.ts";
import { load } from "./http/load.ts";
import type { Call } from "./http/load.ts";
import { quantile, writeResult } from "./results.ts";
import { openWorker } from "../test/worker.ts";
import { bundle, startWorker } from "./runtime.ts";

/** A request to its server, and the server's CPU time, in microseconds. */
interface Contender {
  readonly name: string;
  readonly call: Call;
  spent(): number;
  stop(): Promise<void>;
}

const BATCH_SIZE = 100;
const VERIFY = { path: "/api/v1/verify", body: JSON.stringify({ number: "+5511987654321" }) };
const BATCH = {
  path: "/api/v1/verify/batch",
  body: JSON.stringify({ numbers: Array.from({ length: BATCH_SIZE }, (_, index) => `+551198765${4310 + index}`) }),
};
const COMPATIBILITY_DATE = "2026-10-30";
const PRO = { plan: "pro" } as const;
const JSON_TYPE = { "Content-Type": "application/json" };

/**
 * What this benchmark changes in the worker's source: limits per minute that no run reaches, though they count, and an
 * account that is always busy.
 */
const CHANGES = {
  "contract/limits.ts": [
    ["pro: 600 }", "pro: 1_000_000 }"],
    ["pro: 60_000 }", "pro: 1_000_000_000 }"],
  ],
  "worker/limits/rate/limiter.ts": [["QUIET_SHARE = 1 / 16", "QUIET_SHARE = 0"]],
} as const;

async function changedSources(): Promise<Map<string, string>> {
  const sources = new Map<string, string>();
  for (const [file, changes] of Object.entries(CHANGES)) {
    const path = join(ROOT, file);
    let source = await readFile(path, "utf8");
    for (const [text, replacement] of changes) {
      if (source.split(text).length !== 2) throw new Error(`${file} should have "${text}" once`);
      source = source.replace(text, replacement);
    }
    sources.set(path, source);
  }
  return sources;
}

function callWith(url: string | URL, key: string, { path, body } = VERIFY, statuses: readonly number[] = [200]): Call {
  return { url: new URL(path, url), headers: { ...JSON_TYPE, Authorization: `Bearer ${key}` }, body, statuses };
}

/** This project's worker as configured in wrangler.toml, called as the returned contender says. */
async function startProduct(
  name: string,
  prepare: (url: string, db: Database) => Promise<Call> | Call,
): Promise<Contender> {
  const { url, db, spent, close } = await openWorker({
    entry: join(import.meta.dirname, "http/verify.ts"),
    replaced: await changedSources(),
    settings: { ENVIRONMENT: "production" },
    // Files are served without the worker; queue consumers run elsewhere in production, and here would share the one
    // thread; verify.ts has the limiter.
    without: ["assets", "ratelimits", "queueConsumers"],
  });
  return { name, call: await prepare(url, db), spent, stop: close };
}

/** The least a route can do, with a response as long as that of another contender. */
async function startBare(name: string, { call: { url: called, ...init } }: Contender): Promise<Contender> {
  const ANSWER = await (await fetch(called, { method: "POST", ...init })).text();
  const options = { compatibilityDate: COMPATIBILITY_DATE, bindings: { ANSWER } };
  const { runtime, url, spent } = await startWorker(await bundle(join(import.meta.dirname, "http/bare.ts")), options);
  return {
    name,
    call: callWith(url, "none", { path: called.pathname, body: init.body }),
    spent,
    stop: () => runtime.dispose(),
  };
}

/** The same API with a D1 read, a KV read and write, and a D1 write per request. */
async function startPlain(): Promise<Contender> {
  const options = { compatibilityDate: COMPATIBILITY_DATE, d1Databases: ["DB"], kvNamespaces: ["KV"] };
  const { runtime, url, spent } = await startWorker(await bundle(join(import.meta.dirname, "http/plain.ts")), options);
  const db = await runtime.getD1Database("DB");
  const key = "plain_key";
  const hash = createHash("sha256").update(key).digest("hex");
  await db.batch([
    db.prepare(
      "CREATE TABLE keys (id TEXT PRIMARY KEY, user_id TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, revoked_at INTEGER)",
    ),
    db.prepare("CREATE TABLE usage (id INTEGER PRIMARY KEY, key_id TEXT, country TEXT, valid INTEGER, at INTEGER)"),
    db.prepare("INSERT INTO keys VALUES ('key_1', 'usr_1', ?, NULL)").bind(hash),
  ]);
  return { name: "uncached design", call: callWith(url, key), spent, stop: () => runtime.dispose() };
}

/** Short slices, so that other programs on the machine affect all contenders equally. */
const SLICE_MS = 500;
/** Compilation takes seconds, and resumes after ten, when the first refresh of a key from KV runs new code. */
const WARM_UP_MS = 20_000;
/** Many show a server's capacity; few show a request's cost without queueing. */
const CONNECTIONS = [16, 2];

interface Measured {
  readonly contender: Contender;
  readonly times: number[];
  /**
   * Microseconds of CPU time in total. A median of slices would leave out full garbage collections, which most slices
   * don't have.
   */
  spent: number;
  seconds: number;
}

/** Contenders take turns for a slice of time, shuffled each time: some leave more background work than others. */
async function measure(contenders: readonly Contender[], connections: number, seconds: number): Promise<Measured[]> {
  const measured: Measured[] = contenders.map((contender) => ({ contender, times: [], spent: 0, seconds: 0 }));
  for (let slice = 0; slice < Math.max(1, (seconds * 1000) / SLICE_MS); slice++) {
    for (const entry of shuffled(measured, Math.random)) {
      const { call, spent } = entry.contender;
      const before = { spent: spent(), at: performance.now() };
      const times = await load(call, connections, SLICE_MS);
      entry.seconds += (performance.now() - before.at) / 1000;
      entry.spent += spent() - before.spent;
      for (const time of times) entry.times.push(time);
    }
  }
  return measured;
}

/**
 * Ratios to the bare route with an equally long response: of CPU time, throughput, and latency. `number_us` is the CPU
 * time that each further number adds to a batch, minus what its bytes add to the bare route.
 */
function toRows(measured: readonly Measured[], connections: number): object[] {
  const figures = measured.map(({ contender: { name }, times, spent, seconds }) => ({
    name,
    cpu: spent / times.length,
    throughput: times.length / seconds,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }));
  const figureOf = (name: string) => figures.find((figure) => figure.name === name)!;
  const added = (batch: string, single: string) => figureOf(batch).cpu - figureOf(single).cpu;
  const number = (added("batch of 100", "verify") - added("bare batch of 100", "bare route")) / (BATCH_SIZE - 1);
  return figures.map(({ name, cpu, throughput, p50, p99 }) => {
    const bare = figureOf(name.endsWith("100") ? "bare batch of 100" : "bare route");
    return {
      connections,
      name,
      cpu_us: rounded(cpu),
      requests_per_second: Math.round(throughput),
      p50_ms: rounded(p50),
      p99_ms: rounded(p99),
      cpu_to_bare: rounded(cpu / bare.cpu),
      throughput_to_bare: rounded(throughput / bare.throughput),
      p99_to_bare: rounded(p99 / bare.p99),
      ...(name === "batch of 100" && { number_us: rounded(number) }),
    };
  });
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** @param seconds how long each contender is under load, per number of connections */
export async function bench(seconds: number): Promise<void> {
  const contenders: Contender[] = [];
  try {
    const verify = await startProduct("verify", async (url, db) => callWith(url, await createKey(db, "live", PRO)));
    contenders.push(verify);
    const batch = await startProduct("batch of 100", async (url, db) =>
      callWith(url, await createKey(db, "live", PRO), BATCH),
    );
    contenders.push(batch);
    contenders.push(
      await startProduct("unknown key (401)", (url) => callWith(url, generateKey("live"), VERIFY, [401])),
    );
    contenders.push(
      // The first requests of each minute pass.
      await startProduct("over the limit (429)", async (url, db) =>
        callWith(url, await createKey(db, "live", { plan: "trial" }), VERIFY, [429, 200]),
      ),
    );
    contenders.push(await startBare("bare route", verify), await startBare("bare batch of 100", batch));
    contenders.push(await startPlain());
    for (const { call } of contenders) await load(call, CONNECTIONS[0]!, WARM_UP_MS);
    const rows: object[] = [];
    for (const connections of CONNECTIONS)
      rows.push(...toRows(await measure(contenders, connections, seconds), connections));
    await writeResult("http", rows);
  } finally {
    await Promise.all(contenders.map(({ stop }) => stop()));
  }
}
