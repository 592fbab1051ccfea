import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { SDK_PACKAGES } from "../packages.ts";
import type { SdkId } from "../packages.ts";
import type { Case, NumberInput, Outcome } from "./case.ts";
import { playedCases, resultOf } from "./cases.ts";
import {
  chunksOf,
  exchangeProblems,
  outcomeProblems,
  parsedLines,
  requestProblems,
  responseProblems,
} from "./judge.ts";
import type { SeenRequest } from "./judge.ts";
import { forward, play, textOf } from "./play.ts";

/** Runs that can't measure their memory: a browser's, those in workerd, and Dart compiled to JavaScript. */
const WITHOUT_MEMORY = /-(browser|workers|web)$/;

/** A well-formed key unknown to any service. It must not appear in anything the SDK outputs. */
const KEY = "ch_test_ConformanceKeyThatMustNotLeak0123456";

/** A suite's report on one SDK: all its runs together. */
export interface Report {
  readonly total: number;
  readonly passed: number;
  /** The started runs. */
  readonly runs: readonly string[];
  /** Problems by run and case, including cases that were never reported. */
  readonly failed: Readonly<Record<string, readonly string[]>>;
}

interface Running {
  readonly test: Case;
  readonly seen: SeenRequest[];
  readonly sentAt: number[];
  readonly problems: string[];
  /** Connections opened for it, pending requests, and their maximum. */
  connections: number;
  waiting: number;
  mostWaiting: number;
  /** How many requests there were when the outcome was judged; null before that. */
  judgedAfter: number | null;
}

interface Options {
  /** Creates the cases served by the real worker, for one run. They are skipped without it. */
  readonly workerCases?: () => Promise<Case[]>;
  readonly workerUrl?: string;
}

/** The SDK of a run: `python-async` is one of python's. Null for any other name. */
function sdkOf(run: string): SdkId | null {
  return SDK_PACKAGES.find(({ id }) => run === id || run.startsWith(`${id}-`))?.id ?? null;
}

/** A case's problems at the end: a retry may have arrived after the verdict. */
function allProblems({ judgedAfter, problems, seen }: Running): readonly string[] {
  if (judgedAfter === null) return ["was not reported"];
  return seen.length === judgedAfter ? problems : [...problems, "requests after its outcome was reported"];
}

/** The address of a server listening on a free port of this machine. */
async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An address where nothing listens. */
async function unusedAddress(): Promise<string> {
  const server = createServer();
  const address = await listen(server);
  server.close();
  return address;
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

export interface Suite {
  readonly url: string;
  /**
   * The outcome of an SDK's runs. A run is named after its SDK, with a suffix if there are several: python,
   * python-async.
   */
  report(sdk: SdkId): Report;
  close(): Promise<void>;
}

const NOTHING_YET = { connections: 0, waiting: 0, mostWaiting: 0, judgedAfter: null };

function numberOf(item: NumberInput): string {
  return typeof item === "string" ? item : item.number;
}

/** Milliseconds until the response to a chunk, by its position: an earlier one may arrive after a later one. */
function echoDelay(chunk: number): number {
  return chunk % 2 === 0 ? 120 : 40;
}

/** Starts the conformance suite on this machine. README.md in this folder documents the protocol. */
export async function openSuite({ workerCases, workerUrl }: Options = {}): Promise<Suite> {
  const runs = new Map<string, Map<string, Running>>();
  const idempotencyKeys = new Map<string, string>();
  /** A host that no request may reach: redirects point here. */
  const elsewhere = createServer((request, response) => {
    stray.push(`${request.method} ${request.url}`);
    response.end("{}");
  });
  const stray: string[] = [];
  const usedSockets = new WeakSet<object>();
  const elsewhereUrl = await listen(elsewhere);
  const unreachable = await unusedAddress();

  async function begin(run: string): Promise<unknown> {
    if (sdkOf(run) === null) return null;
    const all = [...playedCases(), ...((await workerCases?.()) ?? [])];
    const cases = all.filter(({ outcome }) => !("tally" in outcome && WITHOUT_MEMORY.test(run)));
    runs.set(
      run,
      new Map(cases.map((test) => [test.id, { test, seen: [], sentAt: [], problems: [], ...NOTHING_YET }])),
    );
    return {
      cases: cases.map(({ id, title, client = {}, call, key = KEY }) => {
        const { base_url, ...options } = client;
        const played = `${suiteUrl}/play/${run}/${id}${base_url ?? ""}`;
        const base = base_url === "unreachable" ? unreachable : base_url?.startsWith("http") ? base_url : played;
        return { id, title, base_url: base, key, client: options, call };
      }),
    };
  }

  function checkIdempotencyKey(key: string | undefined, where: string, own: boolean): string[] {
    if (key === undefined || own) return [];
    const before = idempotencyKeys.get(key);
    idempotencyKeys.set(key, where);
    return before === undefined || before === where ? [] : [`the Idempotency-Key of ${before}`];
  }

  async function serve(request: IncomingMessage, response: ServerResponse, [run, id, path]: string[]): Promise<void> {
    const running = runs.get(run!)?.get(id!);
    const body = await textOf(request);
    if (running === undefined) return send(response, 404, { error: "No such case", code: "NOT_FOUND" });
    const { test, seen, sentAt, problems } = running;
    if (!usedSockets.has(request.socket)) running.connections += 1;
    usedSockets.add(request.socket);
    running.waiting += 1;
    running.mostWaiting = Math.max(running.mostWaiting, running.waiting);
    const headers = request.headers as SeenRequest["headers"];
    const one = { method: request.method ?? "", path: `/${path}`, headers, body, at: performance.now() };
    const index = seen.push(one) - 1;
    const call = { call: test.call, key: test.key ?? KEY, sdk: sdkOf(run!)! };
    const ownKey = test.call.idempotency_key !== undefined;
    problems.push(
      ...requestProblems(one, call),
      ...checkIdempotencyKey(headers["idempotency-key"], `${run}/${id}`, ownKey),
    );
    if (test.played === "worker") {
      await forward({ url: new URL(one.path, workerUrl).href, headers: request.headers, body }, response);
    } else if (test.played === "echo" && test.call.method === "lookup_stream") {
      const lines = parsedLines(body) as { number: string }[];
      await play({ lines: lines.map(({ number }) => resultOf(number)) }, response, elsewhereUrl);
    } else if (test.played === "echo") {
      const numbers = (JSON.parse(body) as { numbers: NumberInput[] }).numbers;
      const chunk = chunksOf(test.call).findIndex(([first]) => numberOf(first!) === numberOf(numbers[0]!));
      const rejected = chunk >= (test.reject_from ?? Infinity);
      const quota = { limit: 100, used: 100, remaining: 0 };
      const played = rejected
        ? { status: 402, json: { error: "Too little is left.", code: "QUOTA_TOO_SMALL", quota } }
        : { json: { results: numbers.map((item) => resultOf(numberOf(item))) } };
      await play({ ...played, delay_ms: echoDelay(chunk) }, response, elsewhereUrl);
    } else {
      const played = test.played[index] ?? {
        status: 500,
        json: { error: "One too many", code: "INTERNAL_ERROR" },
      };
      await play(played, response, elsewhereUrl);
    }
    sentAt[index] = performance.now();
    running.waiting -= 1;
  }

  function judge(
    run: string,
    running: Running,
    told: Outcome & { texts?: string[]; responses?: unknown; response?: unknown },
  ): string[] {
    const { test, seen, sentAt, connections, mostWaiting } = running;
    running.judgedAfter = seen.length;
    const key = test.key ?? KEY;
    if (!told.texts?.some((text) => text.length > 10)) running.problems.push("no texts to look for the key in");
    if (told.texts?.some((text) => text.includes(key))) running.problems.push("the key is in a text of the SDK's");
    if (stray.length > 0) running.problems.push(`another host was asked: ${stray.splice(0).join(", ")}`);
    // A browser's requests are forwarded, each on a new connection.
    const counted = run.endsWith("-browser") ? 0 : connections;
    if (counted > (test.connections ?? Infinity)) running.problems.push(`${counted} connections were opened`);
    const { concurrency } = test.call as { concurrency?: number };
    // PHP has no threads, so it sends chunks sequentially.
    const least = concurrency === 1 || sdkOf(run) === "php" ? 1 : 2;
    if (concurrency !== undefined && (mostWaiting < least || mostWaiting > concurrency))
      running.problems.push(`${mostWaiting} requests at a time, not ${least} to ${concurrency}`);
    running.problems.push(...exchangeProblems(test, seen, sentAt), ...outcomeProblems(told, test.outcome));
    running.problems.push(...responseProblems(told, test));
    return running.problems;
  }

  async function control(request: IncomingMessage, response: ServerResponse, [run, id]: string[]): Promise<void> {
    if (id === undefined) {
      const begun = await begin(run!);
      return send(response, begun === null ? 404 : 200, begun ?? { error: `${run} is not named after an SDK` });
    }
    const running = runs.get(run!)?.get(id);
    const text = await textOf(request);
    if (running === undefined) return send(response, 404, { error: "No such case" });
    const problems = judge(run!, running, JSON.parse(text) as Outcome);
    send(response, 200, { passed: problems.length === 0, problems });
  }

  const server = createServer((request, response) => {
    const [kind, ...parts] = (request.url ?? "/").slice(1).split("/");
    const rest = kind === "play" ? [...parts.slice(0, 2), parts.slice(2).join("/")] : parts;
    const handled = kind === "play" ? serve(request, response, rest) : control(request, response, rest);
    handled.catch((error: unknown) => {
      console.error(error);
      response.destroy();
    });
  });
  const suiteUrl = await listen(server);

  return {
    url: `${suiteUrl}/suite`,
    report(sdk) {
      const cases = [...runs]
        .filter(([run]) => sdkOf(run) === sdk)
        .flatMap(([run, byId]) => [...byId].map(([id, running]) => [`${run}/${id}`, running] as const));
      const failed = cases
        .map(([name, running]) => [name, allProblems(running)] as const)
        .filter(([, problems]) => problems.length > 0);
      return {
        runs: [...runs.keys()].filter((run) => sdkOf(run) === sdk),
        total: cases.length,
        passed: cases.length - failed.length,
        failed: Object.fromEntries(failed),
      };
    },
    async close() {
      for (const each of [server, elsewhere]) {
        each.closeAllConnections();
        each.close();
        await once(each, "close");
      }
    },
  };
}
