import { Agent, request } from "node:http";
import type { IncomingMessage } from "node:http";
import { shuffled } from "../../test/seeded.ts";
import { quantile } from "../row.ts";
import type { Call } from "./server.ts";

/** Each call is under load for this many slices per round: short ones, so that other programs affect all calls. */
const [SLICES, SLICE_MS] = [20, 500];
/** Compilation takes seconds, and resumes after ten, when the first refresh of a key from KV runs new code. */
const WARM_UP_MS = 20_000;

/** Means and quantiles in microseconds. */
export interface Measured {
  /** A median of slices would leave out full garbage collections, which most slices don't have. */
  readonly cpu: number;
  readonly p99: number;
}

/** Sends a request once. Resolves with how long the response took, in microseconds. */
function send({ url, headers }: Call, body: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    function read(response: IncomingMessage): void {
      if (response.statusCode !== 200) reject(new Error(`${url.pathname} returned ${response.statusCode}`));
      response.resume().once("end", () => resolve((performance.now() - started) * 1000));
    }
    const { hostname, port, pathname: path } = url;
    request({ hostname, port, path, method: "POST", headers, agent }, read).once("error", reject).end(body);
  });
}

/** Keeps this many connections busy as long as `goesOn`. Returns each response's time in microseconds. */
async function load(call: Call, connections: number, goesOn: () => boolean): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: number[] = [];
  let sent = 0;
  async function keepBusy(): Promise<void> {
    while (goesOn()) times.push(await send(call, call.bodies[sent++ % call.bodies.length]!, agent));
  }
  await Promise.all(Array.from({ length: connections }, keepBusy));
  agent.destroy();
  return times;
}

function loadFor(call: Call, connections: number, milliseconds: number): Promise<number[]> {
  const end = performance.now() + milliseconds;
  return load(call, connections, () => performance.now() < end);
}

/** Sends this many requests over 16 connections. */
export async function sendMany(call: Call, requests: number): Promise<void> {
  let left = requests;
  await load(call, 16, () => left-- > 0);
}

/** Puts calls under load at the same time, until their code is compiled. */
export async function warmUp(calls: readonly Call[]): Promise<void> {
  await Promise.all(calls.map((call) => loadFor(call, 16, WARM_UP_MS)));
}

/** Puts calls under load in turns, in random order. */
export async function measure(calls: readonly Call[], connections: number): Promise<Measured[]> {
  const measured = calls.map((call) => ({ call, times: [] as number[], spent: 0 }));
  for (let slice = 0; slice < SLICES; slice++) {
    for (const entry of shuffled(measured, Math.random)) {
      const before = entry.call.spent();
      entry.times.push(...(await loadFor(entry.call, connections, SLICE_MS)));
      entry.spent += entry.call.spent() - before;
    }
  }
  return measured.map(({ times, spent }) => ({ cpu: spent / times.length, p99: quantile(times, 0.99) }));
}
