import type { Cell } from "../../../lists/cells.ts";
import type { Content, Entry, Plan } from "../../../lists/plan.ts";
import type { ListRow } from "../../../lists/read/open-rows.ts";
import { cellsOf } from "../../../lists/write/result-columns.ts";
import { ChecklineError } from "../src/index.js";
import type { Checkline, NumberInput, StreamOptions } from "../src/index.js";
import { named } from "./named.ts";

/** Rows at a time: what the client sends in one request. */
const BLOCK = 500;

/** How to verify rows. */
interface Work {
  readonly client: Checkline;
  readonly conditions: StreamOptions;
  readonly signal: AbortSignal;
  readonly plan: Plan;
  /** Our cells of entries that an earlier run has written. */
  readonly written: WeakMap<Entry, readonly Cell[]>;
  /** Called for each row in order, as soon as it is known what to append. */
  readonly write: (row: ListRow, cells: readonly Cell[]) => Promise<void>;
}

/** A number by the client's names. */
function numberOf({ item }: Entry): NumberInput {
  if (typeof item === "string") return item;
  const { expect_country: expectCountry, ...own } = item;
  return { ...own, expectCountry };
}

/**
 * Verifies rows, a block at a time, without more of them in memory. The client waits and retries.
 * @throws ChecklineError, what reading or writing throws, and the signal's reason, after all rows before the first
 * without a result are written
 */
export async function verifyRows(rows: AsyncIterator<ListRow, undefined>, work: Work): Promise<void> {
  const { client, conditions, signal, plan, written, write } = work;
  /** Rows that aren't written yet. */
  const waiting: { readonly row: ListRow; readonly content: Content }[] = [];

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

  /** Reads rows until some have numbers to send; none at the end. */
  async function next(): Promise<readonly Entry[]> {
    const entries: Entry[] = [];
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
    return entries;
  }

  for (let entries = await next(); entries.length > 0; entries = await next()) {
    signal.throwIfAborted();
    const unanswered = entries.values();
    for await (const answer of client.lookupStream(entries.map(numberOf), { ...conditions, signal })) {
      const entry = unanswered.next().value!;
      if (answer instanceof ChecklineError) entry.failure = `${answer.code}: ${answer.message}`;
      else entry.result = cellsOf(named(answer) as object);
      await writeKnown();
    }
  }
}
