import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { REQUESTS_PER_MINUTE } from "../../contract/limits.ts";
import { openWorker } from "../../test/worker.ts";
import type { RunningWorker } from "../../test/worker.ts";
import { utcDay } from "../../worker/platform/time.ts";
import { countedTotals, differences, Ledger, sumOf } from "./ledger.ts";
import type { Totals } from "./ledger.ts";
import { judgeMemory, watchMemory } from "./memory.ts";
import { createPopulation } from "./population.ts";
import { alarmsIn, judge, Measurements, readReply } from "./report.ts";
import type { LoadLimits, LoadReport, LogLine } from "./report.ts";
import { exhaust, mix } from "./traffic.ts";
import type { Planned, Traffic } from "./traffic.ts";

const TIMEOUT_SECONDS = 30;
/** Every sample collects all garbage while everything waits, so there are few. A short run has twelve. */
const MEMORY_EVERY_MS = 20_000;
/** How long the queue may take to count everything. */
const DRAIN_MS = 60_000;
/** How long to keep watching after everything is counted: double counting shows up late. */
const SETTLE_MS = 4_000;

interface Sending {
  /** How many requests to send. All of them complete before this ends. */
  readonly amount: number;
  readonly connections: number;
  /** Requests per second, at most; unlimited by default. */
  readonly overallRate?: number;
}

/** Sends the requests of `traffic` with autocannon, one at a time per connection. */
async function send(url: string, traffic: Traffic, ledger: Ledger, measurements: Measurements, how: Sending) {
  function setupClient(client: autocannon.Client): void {
    let sent: Planned;
    let sentAt = 0;
    client.setRequests([
      {
        setupRequest(request) {
          sent = traffic.next();
          sentAt = performance.now();
          measurements.sent += 1;
          const { path, init } = sent.call;
          return { ...request, path, method: "GET", ...(init as object) };
        },
        onResponse(status, body) {
          const reply = readReply(status, body);
          measurements.note(sent.kind, reply, { took: performance.now() - sentAt, expects: sent.call.expects });
          if (sent.call.usage !== undefined) ledger.note(reply, sent.call.usage);
          traffic.follow(sent, reply);
        },
      },
    ]);
  }
  const connections = Math.min(how.connections, how.amount);
  await autocannon({ url, ...how, connections, timeout: TIMEOUT_SECONDS, setupClient, skipAggregateResult: true });
}

/** What has been counted, once it matches the responses or time is up, and nothing more has arrived after that. */
async function drain(read: () => Promise<Totals>, expected: number): Promise<Totals> {
  const deadline = Date.now() + DRAIN_MS;
  while (sumOf(await read()) < expected && Date.now() < deadline) await sleep(250);
  await sleep(SETTLE_MS);
  return read();
}

async function measure(product: RunningWorker, logs: readonly LogLine[], limits: LoadLimits): Promise<LoadReport> {
  const { minutes, rate, concurrency } = limits;
  const firstDay = utcDay(Date.now());
  const population = await createPopulation(product, rate, Date.now());
  const ledger = new Ledger();
  const measurements = new Measurements();

  const memory = await watchMemory(await product.inspector(), Math.min(MEMORY_EVERY_MS, (minutes * 60_000) / 12));
  const started = performance.now();
  const limited = 4 * REQUESTS_PER_MINUTE.test;
  await Promise.all([
    send(product.url, exhaust(population), ledger, measurements, { amount: limited, connections: 4 }),
    send(product.url, mix(population), ledger, measurements, {
      amount: Math.ceil(minutes * 60 * rate),
      connections: concurrency,
      overallRate: rate,
    }),
  ]);
  const seconds = (performance.now() - started) / 1_000;
  const samples = await memory.stop();
  const userIds = population.everybody.map(({ id }) => id);
  const answered = ledger.totals();
  const counted = await drain(() => countedTotals(product.env.LEDGER, userIds, firstDay), sumOf(answered));
  return judge({
    at: new Date().toISOString(),
    limits,
    seconds: Math.round(seconds * 10) / 10,
    sent: measurements.sent,
    kinds: measurements.kinds(),
    responses: measurements.responses(),
    unexpected: measurements.unexpected(),
    alarms: alarmsIn(logs),
    memory: judgeMemory(samples, minutes),
    usage: {
      answered: sumOf(answered),
      counted: sumOf(counted),
      repeats: ledger.repeats,
      differences: differences(answered, counted),
    },
  });
}

/**
 * Runs the product on this machine with a separate database, sends mixed traffic, and compares the responses with what
 * was counted.
 */
export async function runLoad(limits: LoadLimits): Promise<LoadReport> {
  const logs: LogLine[] = [];
  const product = await openWorker({
    inspect: true,
    // Files are served without the worker.
    without: ["assets"],
    log: ({ level, message }) => void logs.push({ level, message }),
  });
  try {
    return await measure(product, logs, limits);
  } finally {
    await product.close();
  }
}
