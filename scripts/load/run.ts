import { failureText } from "../../worker/platform/log.ts";
import { utcDay } from "../../worker/platform/time.ts";
import { NO_ANSWER } from "./answers.ts";
import type { Answer } from "./answers.ts";
import { assertLoopback } from "./arguments.ts";
import type { LoadLimits } from "./arguments.ts";
import { connectInspector } from "./inspector.ts";
import { countedTotals, differences, Ledger, sumOf, withoutDays } from "./ledger.ts";
import type { Totals } from "./ledger.ts";
import { Measurements } from "./measurements.ts";
import { judgeMemory, watchMemory } from "./memory.ts";
import { createPopulation } from "./population.ts";
import type { Population } from "./population.ts";
import { openProduct } from "./product.ts";
import type { Product } from "./product.ts";
import { alarmsIn, judge } from "./report.ts";
import type { LoadReport } from "./report.ts";
import { KINDS, pickKind } from "./traffic.ts";

const REQUEST_TIMEOUT_MS = 30_000;
/** Seldom, as every sample collects all garbage and everything waits meanwhile. A short run has twelve samples. */
const MEMORY_EVERY_MS = 20_000;
/** How long the queue may take to count what was answered. */
const DRAIN_MS = 60_000;
/** How long nothing more may be counted once everything is: what is counted twice comes late. */
const SETTLE_MS = 4_000;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

async function fetchAnswer(url: URL, init: RequestInit): Promise<Answer> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const body = parseJson(await response.text());
    const { code = null } = response.ok || body === null ? {} : (body as { code?: string });
    return { status: response.status, code, body };
  } catch (error) {
    return { status: NO_ANSWER, code: null, body: failureText(error) };
  }
}

interface Traffic {
  readonly origin: string;
  readonly population: Population;
  readonly ledger: Ledger;
  readonly measurements: Measurements;
}

async function playScene(kind: string, { origin, population, ledger, measurements }: Traffic): Promise<void> {
  const { expects: usual, play } = KINDS[kind]!;
  async function call(path: string, init: RequestInit = {}, expects = usual): Promise<Answer> {
    const started = performance.now();
    const answer = await fetchAnswer(new URL(path, origin), init);
    measurements.note(kind, answer, { took: performance.now() - started, expects });
    return answer;
  }
  await play({ population, ledger, call });
}

/**
 * Begins scenes at the rate, as long as so many are not under way: one of each kind, however long that takes, and then what chance
 * picks. Ends when the last has ended.
 */
async function playFor(
  ms: number,
  { rate, concurrency }: LoadLimits,
  scene: (kind: string) => Promise<void>,
): Promise<void> {
  const first = Object.keys(KINDS);
  const underWay = new Set<Promise<void>>();
  const end = Date.now() + ms;
  let due = Date.now();
  while (first.length > 0 || Date.now() < end) {
    // What could not be begun in time is not made up for later: that would be a burst above the rate.
    due = Math.max(due + 1_000 / rate, Date.now() - 1_000);
    if (due > Date.now()) await sleep(due - Date.now());
    if (underWay.size >= concurrency) await Promise.race(underWay);
    const playing: Promise<void> = scene(first.shift() ?? pickKind(Math.random())).finally(() =>
      underWay.delete(playing),
    );
    underWay.add(playing);
  }
  await Promise.all(underWay);
}

/** What the database has counted, once it is as much as was answered or time is up, and nothing more has come after that. */
async function drain(read: () => Promise<Totals>, expected: number): Promise<Totals> {
  const deadline = Date.now() + DRAIN_MS;
  while (sumOf(await read()) < expected && Date.now() < deadline) await sleep(250);
  await sleep(SETTLE_MS);
  return read();
}

async function measure(product: Product, limits: LoadLimits): Promise<LoadReport> {
  assertLoopback(product.url);
  const firstDay = utcDay(Date.now());
  const population = await createPopulation(product, limits.rate, Date.now());
  const traffic = { origin: product.url, population, ledger: new Ledger(), measurements: new Measurements() };
  const { ledger, measurements } = traffic;

  const duration = limits.minutes * 60_000;
  const inspector = await connectInspector(product.inspector);
  const memory = watchMemory(inspector, Math.min(MEMORY_EVERY_MS, duration / 12));
  const started = performance.now();
  await playFor(duration, limits, (kind) => playScene(kind, traffic));
  const seconds = (performance.now() - started) / 1_000;
  const samples = await memory.stop();
  inspector.close();

  const userIds = population.everybody.map(({ id }) => id);
  const answered = ledger.totals();
  const counted = await drain(() => countedTotals(product.ledgers, userIds, firstDay), sumOf(answered));
  const overMidnight = utcDay(Date.now()) !== firstDay;
  const byDay = overMidnight ? withoutDays : (totals: Totals) => totals;
  return judge({
    at: new Date().toISOString(),
    limits,
    seconds: Math.round(seconds * 10) / 10,
    requests: measurements.requests,
    requests_per_second: Math.round((measurements.requests / seconds) * 10) / 10,
    kinds: measurements.kinds(),
    answers: measurements.answers(),
    unexpected: measurements.unexpected(),
    alarms: alarmsIn(product.logs),
    memory: judgeMemory(samples, limits.minutes),
    usage: {
      answered: sumOf(answered),
      counted: sumOf(counted),
      repeats: ledger.repeats,
      by_day: !overMidnight,
      differences: differences(byDay(answered), byDay(counted)),
    },
  });
}

/**
 * Runs the product on this machine with a database of its own, lets mixed traffic use it, and compares what was answered with what was
 * counted.
 */
export async function runLoad(limits: LoadLimits): Promise<LoadReport> {
  const product = await openProduct();
  try {
    return await measure(product, limits);
  } finally {
    await product.close();
  }
}
