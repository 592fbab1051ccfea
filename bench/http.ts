/**
 * Requests over HTTP, through a direct socket of workerd: `npm run bench -- http`, which takes 16 minutes, or 7 with
 * `--seconds 5`. Compares verify (a warm live key, limiter and metering on), a batch, rejections, and an uncached design,
 * each with a bare Hono route whose response is as long. CPU time is workerd's, so other programs on the machine affect
 * it little; they do affect throughput and latency. Prints a table and writes bench/results/http.json. Compare the
 * ratios: machines differ.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../scripts/local/run.ts";
import { createKey } from "../test/factories.ts";
import { bundle, startWorker } from "../test/runtime.ts";
import { shuffled } from "../test/seeded.ts";
import { openWorker } from "../test/worker.ts";
import type { Database } from "../worker/platform/db.ts";
import { generateKey } from "../worker/keys/key-format.ts";
import { load } from "./http/load.ts";
import type { Call } from "./http/load.ts";
import { median, quantile, writeResult } from "./results.ts";

/** A running worker and a request to it. `spent` is the CPU time so far, in microseconds. */
interface Contender {
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

/** What this benchmark changes in the worker's source: limits per minute that no run reaches, though they count. */
const CHANGES = {
  "contract/limits.ts": [
    ["pro: 600 }", "pro: 1_000_000 }"],
    ["pro: 60_000 }", "pro: 1_000_000_000 }"],
  ],
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

/** This project's worker as configured in wrangler.toml, called as `prepare` says. */
async function startProduct(prepare: (url: string, db: Database) => Promise<Call> | Call): Promise<Contender> {
  const { url, db, spent, close } = await openWorker({
    entry: join(import.meta.dirname, "http/verify.ts"),
    replaced: await changedSources(),
    settings: { ENVIRONMENT: "production" },
    // Files are served without the worker; queue consumers run elsewhere in production, and here would share the one
    // thread; verify.ts has the limiter.
    without: ["assets", "ratelimits", "queueConsumers"],
  });
  return { call: await prepare(url, db), spent, stop: close };
}

/** The least a route can do, with a response as long as a contender's with the status that it is for. */
async function startBare({ call: { url: called, ...init } }: Contender): Promise<Contender> {
  const [, ...others] = init.statuses;
  let response;
  do response = await fetch(called, { method: "POST", ...init });
  while (others.includes(response.status));
  const options = { compatibilityDate: COMPATIBILITY_DATE, bindings: { ANSWER: await response.text() } };
  const { runtime, url, spent } = await startWorker(await bundle(join(import.meta.dirname, "http/bare.ts")), options);
  const call = callWith(url, "none", { path: called.pathname, body: init.body });
  return { call, spent, stop: () => runtime.dispose() };
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
  return { call: callWith(url, key), spent, stop: () => runtime.dispose() };
}

const CONTENDERS: Readonly<Record<string, () => Promise<Contender>>> = {
  verify: () => startProduct(async (url, db) => callWith(url, await createKey(db, "live", PRO))),
  "batch of 100": () => startProduct(async (url, db) => callWith(url, await createKey(db, "live", PRO), BATCH)),
  "unknown key (401)": () => startProduct((url) => callWith(url, generateKey("live"), VERIFY, [401])),
  "over the limit (429)": () =>
    // The first requests of each minute pass.
    startProduct(async (url, db) => callWith(url, await createKey(db, "live", { plan: "trial" }), VERIFY, [429, 200])),
  "uncached design": startPlain,
};

/** Two processes with the same code differ by up to 10 percent: V8 compiles and places it differently. */
const ROUNDS = 3;
/** Short slices, so that other programs on the machine affect both routes equally. */
const SLICE_MS = 500;
/** Compilation takes seconds, and resumes after ten, when the first refresh of a key from KV runs new code. */
const WARM_UP_MS = 20_000;
/** Many show a server's capacity; few show a request's cost without queueing. */
const CONNECTIONS = [16, 2];

interface Measured {
  /**
   * Microseconds of CPU time per request. A mean: a median of slices would leave out full garbage collections, which
   * most slices don't have.
   */
  readonly cpu: number;
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** Puts a contender and its bare route under load in turns, in random order. */
async function measure(pair: readonly Contender[], connections: number, seconds: number): Promise<Measured[]> {
  const measured = pair.map((contender) => ({ contender, times: [] as number[], spent: 0, seconds: 0 }));
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
  return measured.map(({ times, spent, seconds: total }) => ({
    cpu: spent / times.length,
    perSecond: times.length / total,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  }));
}

/** A contender and its bare route, measured in turns. */
interface Comparison {
  readonly name: string;
  readonly connections: number;
  readonly contender: Measured;
  readonly bare: Measured;
}

/**
 * Compares a contender with its bare route, both in new processes. Only these two run: with more, each would idle most
 * of the time and start its slices with cold caches, unlike a busy isolate.
 */
async function compare(name: string, start: () => Promise<Contender>, seconds: number): Promise<Comparison[]> {
  const pair = [await start()];
  try {
    pair.push(await startBare(pair[0]!));
    await Promise.all(pair.map(({ call }) => load(call, CONNECTIONS[0]!, WARM_UP_MS)));
    const comparisons: Comparison[] = [];
    for (const connections of CONNECTIONS) {
      const [contender, bare] = await measure(pair, connections, seconds);
      comparisons.push({ name, connections, contender: contender!, bare: bare! });
    }
    return comparisons;
  } finally {
    await Promise.all(pair.map(({ stop }) => stop()));
  }
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** Medians of a contender's rounds, and ratios to its bare route. */
function toRow(name: string, connections: number, rounds: readonly Comparison[]) {
  const middle = (figure: (round: Comparison) => number) => rounded(median(rounds.map(figure)));
  return {
    connections,
    name,
    cpu_us: middle(({ contender }) => contender.cpu),
    bare_cpu_us: middle(({ bare }) => bare.cpu),
    requests_per_second: Math.round(middle(({ contender }) => contender.perSecond)),
    p50_ms: middle(({ contender }) => contender.p50),
    p99_ms: middle(({ contender }) => contender.p99),
    cpu_to_bare: middle(({ contender, bare }) => contender.cpu / bare.cpu),
    throughput_to_bare: middle(({ contender, bare }) => contender.perSecond / bare.perSecond),
    p99_to_bare: middle(({ contender, bare }) => contender.p99 / bare.p99),
  };
}

/**
 * Rows of the table. `number_us`, from their medians, is the CPU time that each further number adds to a batch, minus
 * what its bytes add to the bare route.
 */
function toRows(comparisons: readonly Comparison[]): object[] {
  return CONNECTIONS.flatMap((connections) => {
    const rows = Object.keys(CONTENDERS).map((name) => {
      const own = comparisons.filter((one) => one.name === name && one.connections === connections);
      return toRow(name, connections, own);
    });
    const added = (wanted: string) => {
      const { cpu_us: cpu, bare_cpu_us: bare } = rows.find(({ name }) => name === wanted)!;
      return cpu - bare;
    };
    const number = rounded((added("batch of 100") - added("verify")) / (BATCH_SIZE - 1));
    return rows.map((row) => ({ ...row, ...(row.name === "batch of 100" && { number_us: number }) }));
  });
}

/** @param seconds how long each contender is under load, per number of connections */
export async function bench(seconds: number): Promise<void> {
  const comparisons: Comparison[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, start] of Object.entries(CONTENDERS)) {
      comparisons.push(...(await compare(name, start, seconds / ROUNDS)));
    }
  }
  await writeResult("http", toRows(comparisons));
}
