import { readFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { ROOT } from "../scripts/local/run.ts";
import { createKey } from "../test/factories.ts";
import { post } from "../test/requests.ts";
import { bundle, startWorker } from "../test/runtime.ts";
import { shuffled } from "../test/seeded.ts";
import { openWorker } from "../test/worker.ts";
import { formatRatio, median, quantile, rounded } from "./row.ts";
import type { Row } from "./row.ts";

const BATCH_SIZE = 100;
const NUMBERS = Array.from({ length: BATCH_SIZE }, (_, index) => `+551198765${4310 + index}`);
const CALLS = {
  verify: { path: "/api/v1/verify", body: { number: NUMBERS[0] } },
  batch: { path: "/api/v1/verify/batch", body: { numbers: NUMBERS } },
};

/** Two processes with the same code differ by up to 10 percent: V8 compiles and places it differently. */
const ROUNDS = 3;
/** Each route is under load for this many slices per round: short ones, so that other programs affect both routes. */
const [SLICES, SLICE_MS] = [20, 500];
/** Compilation takes seconds, and resumes after ten, when the first refresh of a key from KV runs new code. */
const WARM_UP_MS = 20_000;
/** Many show a server's capacity; few show a request's cost without queueing. */
const CONNECTIONS = [16, 2];

/** A running worker and the request that it gets. `spent` is its process's CPU time so far, in microseconds. */
interface Contender {
  readonly url: URL;
  readonly init: RequestInit;
  spent(): number;
  stop(): Promise<void>;
}

/** Means and quantiles in microseconds. */
interface Measured {
  /** A median of slices would leave out full garbage collections, which most slices don't have. */
  readonly cpu: number;
  readonly p99: number;
}

/** The contract's limits with a pro plan that no run reaches, though its calls count. */
async function withoutLimits(): Promise<ReadonlyMap<string, string>> {
  const path = join(ROOT, "contract/limits.ts");
  const source = await readFile(path, "utf8");
  const changed = source.replace("pro: 600 }", "pro: 1e9 }").replace("pro: 60_000 }", "pro: 1e9 }");
  if (changed.length !== source.length - "600".length - "60_000".length + 2 * "1e9".length) {
    throw new Error("contract/limits.ts has other limits");
  }
  return new Map([[path, changed]]);
}

/** The worker of wrangler.toml, with a live key of the pro plan. */
async function startProduct({ path, body }: (typeof CALLS)["verify" | "batch"]): Promise<Contender> {
  const { url, db, spent, close } = await openWorker({
    entry: join(import.meta.dirname, "http/verify.ts"),
    replaced: await withoutLimits(),
    settings: { ENVIRONMENT: "production" },
    // Files are served without the worker; queue consumers run elsewhere in production, and here would share the one
    // thread; verify.ts has the limiter.
    without: ["assets", "ratelimits", "queueConsumers"],
  });
  const key = await createKey(db, "live", { plan: "pro" });
  return { url: new URL(path, url), init: post(key, body), spent, stop: close };
}

/** The least a route can do, with a response as long as the contender's. */
async function startBare({ url: called, init }: Contender): Promise<Contender> {
  const response = await fetch(called, init);
  const options = { compatibilityDate: "2026-10-30", bindings: { ANSWER: await response.text() } };
  const { runtime, url, spent } = await startWorker(await bundle(join(import.meta.dirname, "http/bare.ts")), options);
  return { url: new URL(called.pathname, url), init, spent, stop: () => runtime.dispose() };
}

/** Sends the request once. Resolves with how long the response took, in microseconds. */
function send({ url, init }: Contender, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    function read(response: IncomingMessage): void {
      if (response.statusCode !== 200) reject(new Error(`${url.pathname} returned ${response.statusCode}`));
      response.resume().once("end", () => resolve((performance.now() - started) * 1000));
    }
    const headers = init.headers as Record<string, string>;
    const { hostname, port, pathname: path } = url;
    request({ hostname, port, path, method: "POST", headers, agent }, read).once("error", reject).end(init.body);
  });
}

/** Keeps this many connections busy for a time. Returns each response's time in microseconds. */
async function load(contender: Contender, connections: number, milliseconds: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  const end = performance.now() + milliseconds;
  async function keepBusy(): Promise<void> {
    while (performance.now() < end) times.push(await send(contender, agent));
  }
  await Promise.all(Array.from({ length: connections }, keepBusy));
  agent.destroy();
  return times;
}

/** Puts a contender and its bare route under load in turns, in random order. */
async function measure(pair: readonly Contender[], connections: number): Promise<Measured[]> {
  const measured = pair.map((contender) => ({ contender, times: [] as number[], spent: 0 }));
  for (let slice = 0; slice < SLICES; slice++) {
    for (const entry of shuffled(measured, Math.random)) {
      const before = entry.contender.spent();
      entry.times.push(...(await load(entry.contender, connections, SLICE_MS)));
      entry.spent += entry.contender.spent() - before;
    }
  }
  return measured.map(({ times, spent }) => ({ cpu: spent / times.length, p99: quantile(times, 0.99) }));
}

/** A call beside its bare route. */
interface Compared {
  readonly ours: Measured;
  readonly bare: Measured;
}

/**
 * Measures a call and its bare route, both in new processes, by number of connections. Only these two run: with more,
 * each would idle most of the time and start its slices with cold caches, unlike a busy isolate.
 */
async function compare(name: keyof typeof CALLS): Promise<Compared[]> {
  const pair = [await startProduct(CALLS[name])];
  try {
    pair.push(await startBare(pair[0]!));
    await Promise.all(pair.map((contender) => load(contender, CONNECTIONS[0]!, WARM_UP_MS)));
    const results: Compared[] = [];
    for (const connections of CONNECTIONS) {
      const [ours, bare] = await measure(pair, connections);
      results.push({ ours: ours!, bare: bare! });
    }
    return results;
  } finally {
    await Promise.all(pair.map(({ stop }) => stop()));
  }
}

/** One round of both calls. */
type Round = Readonly<Record<keyof typeof CALLS, Compared>>;

function rowsOf(connections: number, rounds: readonly Round[]): Row[] {
  const row = (measured: string, of: (round: Round, side: keyof Compared) => number, ceiling: string): Row => {
    const middle = (figure: (round: Round) => number) => median(rounds.map(figure));
    return {
      measured: `${measured}, ${connections} connections`,
      ours_us: rounded(middle((round) => of(round, "ours"))),
      compared_with: "bare Hono route",
      theirs_us: rounded(middle((round) => of(round, "bare"))),
      ratio: formatRatio(middle((round) => of(round, "ours") / of(round, "bare"))),
      ceiling,
    };
  };
  return [
    row("verify, CPU", ({ verify }, side) => verify[side].cpu, "at most 2.3"),
    row("verify, p99 latency", ({ verify }, side) => verify[side].p99, "at most 3"),
    row(
      "further number in a batch, CPU",
      ({ verify, batch }, side) => (batch[side].cpu - verify[side].cpu) / (BATCH_SIZE - 1),
      "at most 5 µs more",
    ),
  ];
}

/**
 * Calls over HTTP through a direct socket of workerd, with limits and metering on, each beside a bare Hono route whose
 * response is as long.
 */
export async function benchHttp(): Promise<Row[]> {
  const rounds: Round[][] = CONNECTIONS.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    const [verify, batch] = [await compare("verify"), await compare("batch")];
    for (const [at, all] of rounds.entries()) all.push({ verify: verify[at]!, batch: batch[at]! });
  }
  return CONNECTIONS.flatMap((connections, at) => rowsOf(connections, rounds[at]!));
}
