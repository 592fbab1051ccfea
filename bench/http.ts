/**
 * Requests over HTTP, through a direct socket of workerd: `npm run bench -- http`, or with `--seconds 5` for a shorter run.
 * Compares verify (a warm live key, limiter and metering on) with a bare Hono route whose answer is as long, and with the plain
 * design. Prints a table and writes bench/results/http.json. Compare the ratios: machines differ.
 */
import { load } from "./http/load.ts";
import { type Server, startBare, startPlain, startVerify } from "./http/servers.ts";
import { seconds } from "./options.ts";
import { quantile, writeResult } from "./results.ts";

const SLICES = 10;
const WARM_UP_MS = 3_000;
/** Many show what a server can take; few, what a request costs when none waits for another. */
const CONNECTIONS = [16, 2];

interface Measured {
  readonly server: Server;
  readonly times: number[];
}

/** Milliseconds of all requests, every server in turn for a slice of its time, another one first each time. */
async function measure(servers: readonly Server[], connections: number): Promise<Measured[]> {
  const measured = servers.map((server) => ({ server, times: [] as number[] }));
  for (let slice = 0; slice < SLICES; slice++) {
    const first = slice % measured.length;
    for (const { server, times } of [...measured.slice(first), ...measured.slice(0, first)]) {
      for (const time of await load(server.call, connections, (seconds * 1000) / SLICES)) times.push(time);
    }
  }
  return measured;
}

function toRows(measured: readonly Measured[], connections: number) {
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

const verify = await startVerify();
const servers = [verify];
try {
  const { url, ...init } = verify.call;
  const answer = await (await fetch(url, { method: "POST", ...init })).text();
  servers.push(await startBare(answer), await startPlain());
  for (const { call } of servers) await load(call, CONNECTIONS[0]!, WARM_UP_MS);
  const rows: object[] = [];
  for (const connections of CONNECTIONS) rows.push(...toRows(await measure(servers, connections), connections));
  await writeResult("http", rows);
} finally {
  await Promise.all(servers.map(({ stop }) => stop()));
}
