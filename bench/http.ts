/**
 * Requests over HTTP, through a direct socket of workerd: `npm run bench -- http`, or with `--seconds 5` for a shorter run.
 * Compares verify (a warm live key, limiter and metering on) with a bare Hono route whose answer is as long, and with the plain
 * design. Prints a table and writes bench/results/http.json. Compare the ratios: machines differ.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../scripts/local/run.ts";
import { createKey } from "../test/factories.ts";
import { load } from "./http/load.ts";
import type { Call } from "./http/load.ts";
import { quantile, writeResult } from "./results.ts";
import { bundle, openProduct, startWorker } from "./runtime.ts";

interface Server {
  readonly name: string;
  readonly call: Call;
  stop(): Promise<void>;
}

const PATH = "/api/v1/verify";
const BODY = JSON.stringify({ number: "+5511987654321" });
const COMPATIBILITY_DATE = "2026-10-30";
const JSON_TYPE = { "Content-Type": "application/json" };

/** Requests a minute that no run reaches, and that are still counted. Only the worker of this benchmark has it. */
const UNREACHED = 1_000_000;

function callWith(url: string | URL, key: string): Call {
  return { url: new URL(PATH, url), headers: { ...JSON_TYPE, Authorization: `Bearer ${key}` }, body: BODY };
}

/** This project's worker as wrangler.toml has it, with a warm live key. */
async function startVerify(): Promise<Server> {
  const limits = join(ROOT, "contract/limits.ts");
  const raised = (await readFile(limits, "utf8")).replace(/\bpro: (?:600|60_000)\b/g, `pro: ${UNREACHED}`);
  if (raised.split(String(UNREACHED)).length !== 3) throw new Error("The limits of the pro plan were not found");
  const product = await openProduct({
    entry: join(import.meta.dirname, "http/verify.ts"),
    replaced: new Map([[limits, raised]]),
    settings: { ENVIRONMENT: "production" },
    // The consumers of the queues run elsewhere in production, and here would share the one thread; verify.ts has the limiter.
    without: ["ratelimits", "queueConsumers"],
  });
  const key = await createKey(product.db, "live", { plan: "pro" });
  return { name: "verify", call: callWith(product.url, key), stop: () => product.close() };
}

/** The least a route can do, with an answer as long as ours. */
async function startBare(answer: string): Promise<Server> {
  const options = { compatibilityDate: COMPATIBILITY_DATE, bindings: { ANSWER: answer } };
  const { runtime, url } = await startWorker(await bundle(join(import.meta.dirname, "http/bare.ts")), options);
  return { name: "bare route", call: callWith(url, "none"), stop: () => runtime.dispose() };
}

/** The same API with a read of D1, a read and a write of KV and a write of D1 for each request. */
async function startPlain(): Promise<Server> {
  const options = { compatibilityDate: COMPATIBILITY_DATE, d1Databases: ["DB"], kvNamespaces: ["KV"] };
  const { runtime, url } = await startWorker(await bundle(join(import.meta.dirname, "http/plain.ts")), options);
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
  return { name: "plain design", call: callWith(url, key), stop: () => runtime.dispose() };
}

const SLICES = 10;
const WARM_UP_MS = 3_000;
/** Many show what a server can take; few, what a request costs when none waits for another. */
const CONNECTIONS = [16, 2];

interface Measured {
  readonly server: Server;
  readonly times: number[];
}

/** Milliseconds of all requests, every server in turn for a slice of its time, another one first each time. */
async function measure(servers: readonly Server[], connections: number, seconds: number): Promise<Measured[]> {
  const measured = servers.map((server) => ({ server, times: [] as number[] }));
  for (let slice = 0; slice < SLICES; slice++) {
    const first = slice % measured.length;
    for (const { server, times } of [...measured.slice(first), ...measured.slice(0, first)]) {
      for (const time of await load(server.call, connections, (seconds * 1000) / SLICES)) times.push(time);
    }
  }
  return measured;
}

function toRows(measured: readonly Measured[], connections: number, seconds: number) {
  const rows = measured.map(({ server, times }) => ({
    connections,
    name: server.name,
    requests_per_second: Math.round(times.length / seconds),
    p50_ms: rounded(quantile(times, 0.5)),
    p95_ms: rounded(quantile(times, 0.95)),
    p99_ms: rounded(quantile(times, 0.99)),
  }));
  const ours = rows[0]!;
  return rows.map((row) => ({
    ...row,
    // Of verify to this server: how much of its throughput, and how many times its p99.
    verify_throughput: rounded(ours.requests_per_second / row.requests_per_second),
    verify_p99: rounded(ours.p99_ms / row.p99_ms),
  }));
}

function rounded(value: number): number {
  return Number(value.toFixed(2));
}

/** @param seconds how long each contender is under load */
export async function bench(seconds: number): Promise<void> {
  const verify = await startVerify();
  const servers = [verify];
  try {
    const { url, ...init } = verify.call;
    const answer = await (await fetch(url, { method: "POST", ...init })).text();
    servers.push(await startBare(answer), await startPlain());
    for (const { call } of servers) await load(call, CONNECTIONS[0]!, WARM_UP_MS);
    const rows: object[] = [];
    for (const connections of CONNECTIONS) {
      rows.push(...toRows(await measure(servers, connections, seconds), connections, seconds));
    }
    await writeResult("http", rows);
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
  }
}
