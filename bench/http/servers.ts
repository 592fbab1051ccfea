import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import { ROOT, stayLocal } from "../../scripts/local/run.ts";
import { createKey } from "../../test/factories.ts";
import { TEST_SETTINGS } from "../../test/worker.ts";
import { openDatabase } from "../../worker/platform/db.ts";
import type { Bindings } from "../../worker/env.ts";
import { type Bundle, bundle } from "../bundle.ts";
import type { Call } from "./load.ts";

export interface Server {
  readonly name: string;
  readonly call: Call;
  stop(): Promise<void>;
}

const PATH = "/api/v1/verify";
const BODY = JSON.stringify({ number: "+5511987654321" });
const COMPATIBILITY_DATE = "2026-10-30";
const JSON_TYPE = { "Content-Type": "application/json" };

/** Requests and numbers a minute that no run reaches, and that is still counted against. Only the worker of this benchmark has it. */
const UNREACHED = 1_000_000;

type Options = Parameters<typeof convertV4MiniflareOptions>[0];

/** A worker behind a socket of its own, without the proxy that `wrangler dev` puts in front. */
async function start(
  { code, data }: Bundle,
  options: Record<string, unknown>,
): Promise<{ runtime: Miniflare; url: URL }> {
  const runtime = new Miniflare(
    convertV4MiniflareOptions({
      ...options,
      modules: [
        { type: "ESModule", path: "worker.js", contents: code },
        ...Array.from(data, ([path, contents]) => ({ type: "Data", path, contents })),
      ],
      unsafeDirectSockets: [{ host: "127.0.0.1", port: 0 }],
      // What the platform does with a worker's log lines is not part of a request's time.
      handleStructuredLogs() {},
    } as Options),
  );
  return { runtime, url: new URL(PATH, await runtime.unsafeGetDirectURL()) };
}

/** This project's worker as wrangler.toml has it, with a warm live key. */
export async function startVerify(): Promise<Server> {
  stayLocal();
  const limits = join(ROOT, "contract/limits.ts");
  const raised = (await readFile(limits, "utf8")).replace(/\bpro: (?:600|60_000)\b/g, `pro: ${UNREACHED}`);
  if (raised.split(String(UNREACHED)).length !== 3) throw new Error("The limits of the pro plan were not found");
  // The consumers of the queues run elsewhere in production, and here would share the one thread; verify.ts has the limiter.
  const {
    assets: _,
    ratelimits: __,
    queueConsumers: ___,
    ...options
  } = unstable_getMiniflareWorkerOptions(join(ROOT, "wrangler.toml")).workerOptions;
  const bundled = await bundle(join(import.meta.dirname, "verify.ts"), new Map([[limits, raised]]));
  const bindings = { ...TEST_SETTINGS, ENVIRONMENT: "production" };
  const { runtime, url } = await start(bundled, { ...options, bindings });
  const env = await runtime.getBindings<Bindings & Record<string, unknown>>();
  for (const file of (await readdir(join(ROOT, "migrations"))).filter((name) => name.endsWith(".sql")).toSorted()) {
    const statements = (await readFile(join(ROOT, "migrations", file), "utf8")).split("--> statement-breakpoint");
    await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
  }
  const key = await createKey(openDatabase(env.DB), "live", { plan: "pro" });
  const call = { url, headers: { ...JSON_TYPE, Authorization: `Bearer ${key}` }, body: BODY };
  return { name: "verify", call, stop: () => runtime.dispose() };
}

/** The least a route can do, with an answer as long as ours. */
export async function startBare(answer: string): Promise<Server> {
  const options = { compatibilityDate: COMPATIBILITY_DATE, bindings: { ANSWER: answer } };
  const { runtime, url } = await start(await bundle(join(import.meta.dirname, "bare.ts")), options);
  return { name: "bare route", call: { url, headers: JSON_TYPE, body: BODY }, stop: () => runtime.dispose() };
}

/** The same API with a read of D1, a read and a write of KV and a write of D1 for each request. */
export async function startPlain(): Promise<Server> {
  const options = { compatibilityDate: COMPATIBILITY_DATE, d1Databases: ["DB"], kvNamespaces: ["KV"] };
  const { runtime, url } = await start(await bundle(join(import.meta.dirname, "plain.ts")), options);
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
  const call = { url, headers: { ...JSON_TYPE, Authorization: `Bearer ${key}` }, body: BODY };
  return { name: "plain design", call, stop: () => runtime.dispose() };
}
