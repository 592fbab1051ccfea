import { seededRandom } from "../../test/seeded.ts";
import { CHEAP_SCRYPT, openWorker } from "../../test/worker.ts";
import { complaint, isOfRuntime } from "./judge.ts";
import { createPeople, withNames } from "./people.ts";
import type { People } from "./people.ts";
import { planRequest } from "./requests.ts";
import type { Planned } from "./requests.ts";
import { Connection } from "./wire.ts";
import type { Outcome } from "./wire.ts";

export interface FuzzOptions {
  readonly requests: number;
  readonly seed: number;
  /** Called immediately with each finding, and every 10,000 requests with the number sent. */
  onFinding?(finding: Finding): void;
  onProgress?(sent: number): void;
}

interface Finding {
  /** The request's index in the run, from 0. */
  readonly index: number;
  readonly problem: string;
  /** The bytes as a JSON string, with names in place of keys and tokens. */
  readonly request: string;
}

export interface FuzzReport {
  readonly seed: number;
  readonly sent: number;
  readonly findings: readonly Finding[];
  /** The worker's responses by status. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Responses by status of the HTTP server below the worker, which rejects what is not HTTP. */
  readonly runtimeStatuses: Readonly<Record<string, number>>;
  /** Connections closed without a response. */
  readonly hangups: number;
  /** Operations that have succeeded at least once. */
  readonly succeeded: readonly string[];
}

/** Fewer than the runtime serves concurrently, enough to overlap. */
const CONNECTIONS = 6;
const TIMEOUT_MS = 45_000;
/** New senders after this many requests: in between, accounts are deleted, logged out, and rate limited. */
const ROUND = 1_000;
const MOST_FINDINGS = 20;

/** The random numbers of one request, independent of the others. */
function randomOf(seed: number, index: number): () => number {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ index);
  // Adjacent seeds start out alike.
  for (let skipped = 0; skipped < 4; skipped++) random();
  return random;
}

function count(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** Sends requests to a separate worker, several at a time, and judges the responses. */
export async function runFuzz({ requests, seed, onFinding, onProgress }: FuzzOptions): Promise<FuzzReport> {
  const failures: string[] = [];
  const worker = await openWorker({
    alias: CHEAP_SCRYPT,
    // Files are served without the worker.
    without: ["assets"],
    log({ message }) {
      if (message.includes('"event":"failure"')) failures.push(message);
    },
  });
  const url = new URL(worker.url);
  const findings: Finding[] = [];
  const statuses: Record<string, number> = {};
  const runtimeStatuses: Record<string, number> = {};
  const succeeded = new Set<string>();
  const rounds = new Map<number, Promise<People>>();
  let hangups = 0;
  let next = 0;

  function peopleOf(round: number): Promise<People> {
    if (!rounds.has(round)) {
      rounds.set(round, createPeople(worker));
      rounds.delete(round - 2);
    }
    return rounds.get(round)!;
  }

  function note(finding: Finding): void {
    findings.push(finding);
    onFinding?.(finding);
  }

  function tally(planned: Planned, { replies }: Outcome): void {
    if (replies.length === 0) hangups += 1;
    for (const reply of replies) {
      count(isOfRuntime(reply) ? runtimeStatuses : statuses, String(reply.status));
      if (planned.isDeclared || planned.replies === 1) if (reply.status < 300) succeeded.add(planned.endpoint.id);
    }
  }

  async function send(index: number, connection: Connection): Promise<void> {
    const people = await peopleOf(Math.floor(index / ROUND));
    const planned = planRequest(randomOf(seed, index), people, url.host);
    let problem: string | null;
    try {
      const outcome = await connection.exchange(planned, TIMEOUT_MS);
      tally(planned, outcome);
      problem = complaint(outcome, planned);
    } catch (error) {
      problem = String(error);
    }
    if (problem === null) return;
    const request = JSON.stringify(withNames(planned.bytes.toString("latin1"), people));
    note({ index, problem: withNames(problem, people), request });
  }

  async function sendAll(): Promise<void> {
    const connection = new Connection(url);
    while (next < requests && findings.length < MOST_FINDINGS) {
      const index = next++;
      if (index > 0 && index % 10_000 === 0) onProgress?.(index);
      await send(index, connection);
    }
    connection.close();
  }

  try {
    await Promise.all(Array.from({ length: Math.min(CONNECTIONS, requests) }, sendAll));
    for (const message of failures) note({ index: -1, problem: message, request: "in the log" });
    return { seed, sent: next, findings, statuses, runtimeStatuses, hangups, succeeded: [...succeeded].toSorted() };
  } finally {
    await worker.close();
  }
}
