import { MAX_BATCH_SIZE, MAX_STREAM_LINES } from "../contract/limits.ts";
import { corpus } from "./corpus.ts";
import { measure, warmUp } from "./http/load.ts";
import { withProduct } from "./http/server.ts";
import type { Call } from "./http/server.ts";
import type { Row } from "./row.ts";

const ROUNDS = 3;
const CONNECTIONS = 16;

/** Bodies of batches of this size, from numbers of all countries in random order. */
function batchesOf(size: number, numbers: readonly string[]): string[] {
  const starts = Array.from({ length: Math.floor(numbers.length / MAX_BATCH_SIZE) }, (_, at) => at * MAX_BATCH_SIZE);
  return starts.map((start) => JSON.stringify({ numbers: numbers.slice(start, start + size) }));
}

/** The longest stream of these numbers, repeated. */
function streamOf(numbers: readonly string[]): string {
  const lines = Array.from({ length: MAX_STREAM_LINES }, (_, at) => numbers[at % numbers.length]);
  return lines.map((number) => `${JSON.stringify({ number })}\n`).join("");
}

/** Sends a stream, and returns the CPU time of each of its lines. */
async function timeLine({ url, headers, bodies: [body], spent }: Call): Promise<number> {
  const before = spent();
  const type = { "Content-Type": "application/x-ndjson" };
  const response = await fetch(url, { method: "POST", headers: { ...headers, ...type }, body: body! });
  const lines = (await response.text()).split("\n").filter((line) => line !== "");
  if (lines.length !== MAX_STREAM_LINES) throw new Error(`The stream returned ${lines.length} lines: ${lines.at(-1)}`);
  return (spent() - before) / lines.length;
}

/** Microseconds of CPU time. */
interface Numbers {
  /** For a further number of a batch. */
  readonly ofBatch: number;
  /** For a line of a stream. */
  readonly ofStream: number;
}

/** One round, in a new process. */
function timeNumbers(numbers: readonly string[]): Promise<Numbers> {
  return withProduct(async (product) => {
    const calls = [1, MAX_BATCH_SIZE].map((size) => product("/api/v1/verify/batch", batchesOf(size, numbers)));
    await warmUp(calls);
    const [one, all] = await measure(calls, CONNECTIONS);
    const stream = product("/api/v1/verify/stream", [streamOf(numbers)]);
    // Untimed: compiles the code.
    await timeLine(stream);
    return { ofBatch: (all!.cpu - one!.cpu) / (MAX_BATCH_SIZE - 1), ofStream: await timeLine(stream) };
  });
}

/** What a further number costs in a batch of mixed countries and in a long stream of them. */
export async function benchBatch(): Promise<Row[]> {
  const numbers = corpus().map(({ e164 }) => e164);
  const rounds: Numbers[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await timeNumbers(numbers));
  const row = (measured: string, ours: readonly number[], most: number): Row => ({
    measured,
    unit: "µs",
    ours,
    comparedWith: null,
    theirs: null,
    ceiling: { of: "ours", most },
  });
  return [
    row(
      "further number in a batch of mixed countries, CPU",
      rounds.map(({ ofBatch }) => ofBatch),
      5,
    ),
    row(
      `line of a stream of ${MAX_STREAM_LINES / 1000},000, CPU`,
      rounds.map(({ ofStream }) => ofStream),
      8,
    ),
  ];
}
