import { measure, warmUp } from "./http/load.ts";
import type { Measured } from "./http/load.ts";
import { VERIFY, withBare, withProduct } from "./http/server.ts";
import type { Row } from "./row.ts";

/** Two processes with the same code differ by up to 10 percent: V8 compiles and places it differently. */
const ROUNDS = 3;
/** Many show a server's capacity; few show a request's cost without queueing. The ceilings are ratios. */
const CONNECTIONS = [
  { connections: 16, cpu: 2.1, p99: 4 },
  { connections: 8, cpu: null, p99: 3 },
  { connections: 2, cpu: 2.1, p99: null },
];

/** Verify and the bare route. */
type Pair = readonly [ours: Measured, bare: Measured];

/**
 * Measures verify and its bare route, both in new processes, by number of connections. Only these two run: with more,
 * each would idle most of the time and start its slices with cold caches, unlike a busy isolate.
 */
function compare(): Promise<Pair[]> {
  return withProduct((product) => {
    const verify = product(...VERIFY);
    return withBare(verify, async (bare) => {
      await warmUp([verify, bare]);
      const pairs: Pair[] = [];
      for (const { connections } of CONNECTIONS) {
        const [ours, theirs] = await measure([verify, bare], connections);
        pairs.push([ours!, theirs!]);
      }
      return pairs;
    });
  });
}

/** Verify over HTTP, with limits and metering on, beside a bare Hono route whose response is as long. */
export async function benchVerify(): Promise<Row[]> {
  const rounds: Pair[][] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await compare());
  const row = (measured: string, pairs: readonly Pair[], of: keyof Measured, most: number | null): Row => ({
    measured,
    unit: "µs",
    ours: pairs.map(([ours]) => ours[of]),
    comparedWith: "bare Hono route",
    theirs: pairs.map(([, bare]) => bare[of]),
    ceiling: most === null ? null : { of: "ratio", most },
  });
  return CONNECTIONS.flatMap(({ connections, cpu, p99 }, at) => {
    const pairs = rounds.map((round) => round[at]!);
    return [
      row(`verify, ${connections} connections, CPU`, pairs, "cpu", cpu),
      row(`verify, ${connections} connections, p99 latency`, pairs, "p99", p99),
    ];
  });
}
