import type { Cell } from "../../../lists/cells.ts";
import type { Content, Entry, Plan } from "../../../lists/plan.ts";
import type { ListRow } from "../../../lists/read/open-rows.ts";
import { createRun, isActive } from "../../../lists/run.ts";
import type { Call, Outcome } from "../../../lists/run.ts";
import { cellsOf } from "../../../lists/write/result-columns.ts";
import { ChecklineError } from "../src/index.js";
import type { Checkline, LookupResult, StreamOptions } from "../src/index.js";
import { named } from "./named.ts";

/** Rows at a time: what the client sends in one request. */
const BLOCK = 500;

type Answer = LookupResult | ChecklineError;

/** How to verify rows. */
interface Work {
  readonly client: Checkline;
  readonly conditions: StreamOptions;
  readonly signal: AbortSignal;
  readonly plan: Plan;
  /** Our cells of entries that an earlier run has written. */
  readonly written: ReadonlyMap<Entry, readonly Cell[]>;
  /** Called for each row in order, as soon as it is known what to append. */
  readonly write: (row: ListRow, cells: readonly Cell[]) => Promise<void>;
}

/**
 * Verifies rows, a block at a time, without more of them in memory. The client waits and retries.
 * @throws ChecklineError, what reading or writing throws, and the signal's reason, after all rows before the first
 * without a result are written
 */
export async function verifyRows(rows: AsyncIterator<ListRow, undefined>, work: Work): Promise<void> {
  const { client, conditions, signal, plan, written, write } = work;
  /** Rows that aren't written yet, and the numbers to send; the first of those has this position among all. */
  const waiting: { readonly row: ListRow; readonly content: Content }[] = [];
  let entries: Entry[] = [];
  let [first, answered] = [0, 0];

  async function writeKnown(): Promise<void> {
    let known = 0;
    for (const { row, content } of waiting) {
      const isEntry = typeof content !== "string";
      const earlier = isEntry ? written.get(content) : undefined;
      if (isEntry && content.result === null && content.failure === null && earlier === undefined) break;
      await write(row, earlier ?? plan.cells(row.cells, content));
      known += 1;
    }
    waiting.splice(0, known);
  }

  /** Reads rows until some have numbers to send. */
  async function next(position: number): Promise<readonly Entry["item"][]> {
    entries = entries.slice(position - first);
    first = position;
    for (let isEnd = false; entries.length === 0 && !isEnd;) {
      for (let count = 0; count < BLOCK && !isEnd; count++) {
        const { done, value: row } = await rows.next();
        isEnd = done === true;
        if (row === undefined) break;
        const content = plan.read(row.cells);
        waiting.push({ row, content });
        if (typeof content !== "string" && content.rows === 1) entries.push(content);
      }
      await writeKnown();
    }
    return entries.map(({ item }) => item);
  }

  async function store(answers: readonly Answer[]): Promise<void> {
    for (const answer of answers) {
      const entry = entries[answered - first]!;
      if (answer instanceof ChecklineError) entry.failure = `${answer.code}: ${answer.message}`;
      else entry.result = cellsOf(named(answer) as object);
      answered += 1;
    }
    await writeKnown();
  }

  async function* send({ numbers }: Call, ended: AbortSignal): AsyncGenerator<readonly Answer[], Outcome> {
    const asked = numbers.map((item) => {
      if (typeof item === "string") return item;
      const { expect_country: expectCountry, ...own } = item;
      return { ...own, expectCountry };
    });
    for await (const answer of client.lookupStream(asked, { ...conditions, signal: ended })) yield [answer];
    return { kind: "answered", limit: null };
  }

  const run = createRun<Answer>(
    { total: Infinity, checked: 0, conditions: {}, id: "" },
    // The client waits and retries, and what it throws is final.
    {
      next,
      store,
      send,
      now: () => Date.now(),
      sleep: () => Promise.reject(new Error("There is nothing to wait for.")),
    },
  );
  signal.addEventListener("abort", run.cancel);
  await new Promise<void>((resolve) => {
    run.subscribe(() => isActive(run.snapshot().phase) || resolve());
    run.start();
  });
  signal.throwIfAborted();
  const problem = run.problem();
  if (problem !== undefined) throw problem;
}
