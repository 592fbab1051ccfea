/**
 * Verifies numbers on a throwaway instance of the product, on this machine, and compares the ledgers' counts with the
 * responses: `npm run load`, or with `-- --minutes 0.2 --rate 50`. Exit code 1 for an unexpected response, an error in
 * the log, or a wrong count.
 */
import { setTimeout as sleep } from "node:timers/promises";
import autocannon from "autocannon";
import { TRIAL } from "../contract/plans.ts";
import type { Plan } from "../contract/plans.ts";
import { numberUpTo, parseArguments, runMain } from "../scripts/arguments.ts";
import { createAccount } from "../test/factories.ts";
import { setUsage } from "../test/notices.ts";
import { post } from "../test/requests.ts";
import { openWorker } from "../test/worker.ts";
import type { RunningWorker } from "../test/worker.ts";
import { insertApiKey } from "../worker/keys/api-keys.ts";
import { randomBase62 } from "../worker/platform/random.ts";
import { DAY_MS, utcDay } from "../worker/platform/time.ts";

const NUMBERS = ["+5511987654321", "+12024561111", "+442079460018", "+4930901820", "+551198", "not a number"];
/** How long counts may take to arrive, and how long to wait for any that shouldn't. */
const [DRAIN_MS, SETTLE_MS] = [60_000, 5_000];

interface Caller {
  readonly id: string;
  readonly key: string;
  readonly statuses: readonly number[];
  /** What its responses add up to, and what its ledger should count. */
  valid: number;
  invalid: number;
}

interface Call {
  readonly caller: Caller;
  readonly path: string;
  readonly init: RequestInit;
  readonly isRetry: boolean;
}

async function createCaller({ db }: RunningWorker, plan: Plan, statuses: readonly number[]): Promise<Caller> {
  const id = await createAccount(db, { plan });
  const { apiKey } = await insertApiKey({ db, now: Date.now(), userId: id, mode: "live", name: "load" });
  return { id, key: apiKey, statuses, valid: 0, invalid: 0 };
}

/** Enough accounts for the rate, and one that uses up its quota. */
async function createCallers(worker: RunningWorker, rate: number): Promise<Caller[]> {
  const callers = [await createCaller(worker, "trial", [200, 402, 429])];
  await setUsage(worker, callers[0]!.id, TRIAL.quota - 10, { day: utcDay(Date.now() - DAY_MS) });
  while (callers.length < 10 + rate / 5) callers.push(await createCaller(worker, "pro", [200]));
  return callers;
}

function oneOf<T>(items: readonly T[]): T {
  return items[Math.floor(Math.random() * items.length)]!;
}

/** One number, or one time in five a batch, which one time in three is sent again under the same Idempotency-Key. */
function callsOf(caller: Caller): Call[] {
  const path = "/api/v1/verify";
  if (Math.random() > 0.2)
    return [{ caller, path, init: post(caller.key, { number: oneOf(NUMBERS) }), isRetry: false }];
  const numbers = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () => oneOf(NUMBERS));
  const init = post(caller.key, { numbers }, { "Idempotency-Key": randomBase62(20) });
  const first = { caller, path: `${path}/batch`, init, isRetry: false };
  return Math.random() > 1 / 3 ? [first] : [first, { ...first, isRetry: true }];
}

/** Counts the response of a call. Returns what is wrong with it, or null. */
function note({ caller, isRetry }: Call, status: number, body: string): string | null {
  if (!caller.statuses.includes(status)) return `${status} ${body.slice(0, 200)}`;
  if (status !== 200 || isRetry) return null;
  const answer = JSON.parse(body) as { results?: { valid: boolean }[]; valid: boolean };
  for (const { valid } of answer.results ?? [answer]) caller[valid ? "valid" : "invalid"] += 1;
  return null;
}

/** Callers whose ledger has counted something else than their responses since a UTC day. */
async function differences({ env }: RunningWorker, callers: readonly Caller[], since: string): Promise<string[]> {
  const lines = callers.map(async ({ id, valid, invalid }) => {
    const { days } = await env.LEDGER.getByName(id).usage({ mode: "live", first: since, last: "~" });
    const successful = days.reduce((sum, day) => sum + day.successful, 0);
    const failed = days.reduce((sum, day) => sum + day.total, 0) - successful;
    if (successful === valid && failed === invalid) return [];
    return [`${id}: ${valid} valid and ${invalid} invalid, but ${successful} and ${failed} counted`];
  });
  return (await Promise.all(lines)).flat();
}

async function run(worker: RunningWorker, problems: string[], { minutes, rate }: { minutes: number; rate: number }) {
  const since = utcDay(Date.now());
  const callers = await createCallers(worker, rate);
  const result = await autocannon({
    url: worker.url,
    connections: 16,
    overallRate: rate,
    amount: Math.ceil(minutes * 60 * rate),
    timeout: 30,
    setupClient(client) {
      const planned: Call[] = [];
      let sent: Call;
      client.setRequests([
        {
          setupRequest(request) {
            if (planned.length === 0) planned.push(...callsOf(oneOf(callers)));
            sent = planned.shift()!;
            return { ...request, path: sent.path, ...(sent.init as object) };
          },
          onResponse(status, body) {
            const problem = note(sent, status, body);
            if (problem !== null) problems.push(problem);
          },
        },
      ]);
    },
  });
  console.log(autocannon.printResult(result));
  if (result.errors > 0) problems.push(`${result.errors} requests without a response`);
  if (result.statusCodeStats?.["402"] === undefined) problems.push("No quota was used up");
  const deadline = Date.now() + DRAIN_MS;
  while ((await differences(worker, callers, since)).length > 0 && Date.now() < deadline) await sleep(250);
  await sleep(SETTLE_MS);
  problems.push(...(await differences(worker, callers, since)));
  const numbers = callers.reduce((sum, { valid, invalid }) => sum + valid + invalid, 0);
  console.log(`Results for ${numbers} numbers`);
}

await runMain(async () => {
  const option = (value: string) => ({ type: "string", default: value }) as const;
  const { values } = parseArguments({ options: { minutes: option("10"), rate: option("50") } });
  const minutes = numberUpTo("--minutes", 60, values.minutes, { whole: false });
  const rate = numberUpTo("--rate", 500, values.rate);
  const problems: string[] = [];
  // Files are served without the worker.
  const worker = await openWorker({
    without: ["assets"],
    log: ({ level, message }) => void (level === "error" && problems.push(message)),
  });
  try {
    await run(worker, problems, { minutes, rate });
  } finally {
    await worker.close();
  }
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? "Passed: every number was counted once." : "Failed.");
  return problems.length === 0 ? 0 : 1;
});
