import type { Bindings } from "./env.ts";
import { findKey } from "./key-cache/find-keys.ts";
import { createKeyCache } from "./key-cache/key-cache.ts";
import type { KeyCache } from "./key-cache/key-cache.ts";
import { createMeter } from "./ledger/meter.ts";
import type { Meter } from "./ledger/meter.ts";
import type { LedgerNamespace } from "./ledger/namespace.ts";
import { createRateLimiter, RARE_EXCHANGE_REQUESTS } from "./limits/rate/limiter.ts";
import type { RateLimiter } from "./limits/rate/limiter.ts";
import { parseConfig } from "./platform/config.ts";
import type { Config } from "./platform/config.ts";
import { openDatabase } from "./platform/db.ts";
import type { Database } from "./platform/db.ts";
import { createSharedRoom } from "./platform/read-ahead.ts";
import type { SharedRoom } from "./platform/read-ahead.ts";
import { randomBase62 } from "./platform/random.ts";
import { createPlace } from "./platform/place.ts";
import { sleep } from "./platform/time-limit.ts";
import { createStatusReader } from "./status/read-status.ts";
import type { StatusReader } from "./status/read-status.ts";
import { createIdempotencyMemory } from "./ledger/calls.ts";
import type { IdempotencyMemory } from "./ledger/calls.ts";

/** Everything that lives as long as an isolate: its bindings, its clock, and what it remembers between requests. */
export interface Isolate {
  readonly env: Bindings;
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** @throws ConfigError when the configuration is unsafe. */
  config(): Config;
  db(): Database;
  readonly keyCache: KeyCache;
  /** Limits the accounts' API keys. */
  readonly limiter: RateLimiter;
  /** Limits calls from web pages by address. Separate, like the next one. */
  readonly pageLimiter: RateLimiter;
  /** Limits sessions by account, and unknown keys and refusals by address. Separate, so a flood of them evicts no caller's count. */
  readonly keylessLimiter: RateLimiter;
  /** The Idempotency-Keys of recent calls. @throws ConfigError */
  idempotencyKeys(): IdempotencyMemory;
  readonly meter: Meter;
  readonly readStatus: StatusReader;
  /** The location it runs in, learned from a request. */
  readonly place: ReturnType<typeof createPlace>;
  /** What its streams may hold of requests not verified yet. */
  readonly streamRoom: SharedRoom;
}

/** Clock and randomness, which tests replace. */
export interface IsolateSources {
  now?(): number;
  /** In [0, 1). */
  random?(): number;
}

/** Memoizes the first value that `make` returns. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Creates an isolate without I/O or randomness, which Workers forbid before the first request. */
export function createIsolate(env: Bindings, sources: IsolateSources = {}): Isolate {
  const now = sources.now ?? (() => Date.now());
  const random = sources.random ?? (() => Math.random());
  const config = once(() => parseConfig(env));
  const limiting = { kv: env.EDGE, now, random, isolateId: once(() => randomBase62(12)) };
  return {
    env,
    now,
    config,
    db: once(() => openDatabase(env.DB)),
    keyCache: createKeyCache({ now, sleep, find: findKey }),
    limiter: createRateLimiter({ ...limiting, location: env.ACCOUNT_BACKSTOP }),
    pageLimiter: createRateLimiter(limiting),
    keylessLimiter: createRateLimiter({ ...limiting, exchangeRequests: RARE_EXCHANGE_REQUESTS }),
    idempotencyKeys: once(() => createIdempotencyMemory(config().secrets.calls)),
    meter: createMeter({ now, sleep }),
    readStatus: createStatusReader(),
    place: createPlace(),
    streamRoom: createSharedRoom(),
  };
}

/** The device a request came from. */
export interface Device {
  /** In words: "Chrome on Windows". */
  readonly browser: string;
  /** ISO 3166-1 alpha-2; null if unknown. */
  readonly country: string | null;
}

/** The dependencies of one request, delivery, or command. */
export interface Io {
  readonly db: Database;
  /** Workers KV, readable in every location. */
  readonly edge: Bindings["EDGE"];
  readonly queues: { readonly usage: Bindings["USAGE"]; readonly mail: Bindings["MAIL"] };
  /** The accounts' ledgers; null for an operator's command, which can't reach them. */
  readonly ledgers: LedgerNamespace | null;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly config: Config;
  /** The address that limits count by; empty if there is none. */
  readonly address: string;
  /** The device of the request; null for an operator's command. */
  device(): Device | null;
  /** This isolate's key cache. */
  readonly keyCache: KeyCache;
  /** Keeps the isolate alive for work that the response does not wait for. */
  waitUntil(work: Promise<unknown>): void;
}

/** Who is calling, or what is running. */
export interface Caller {
  readonly address?: string;
  readonly device?: () => Device | null;
  readonly waitUntil: (work: Promise<unknown>) => void;
}

/** @throws ConfigError when the configuration is unsafe. */
export function createIo(isolate: Isolate, { address = "", device = () => null, waitUntil }: Caller): Io {
  const { env, keyCache } = isolate;
  const config = isolate.config();
  const db = isolate.db();
  const now = isolate.now();
  return {
    db,
    edge: env.EDGE,
    queues: { usage: env.USAGE, mail: env.MAIL },
    ledgers: env.LEDGER ?? null,
    now,
    config,
    address,
    device,
    keyCache,
    waitUntil,
  };
}
