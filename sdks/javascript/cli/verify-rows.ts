import { writingKey } from "../../../lists/cells.ts";
import type { Checkline } from "../src/index.js";
import { answerOf } from "./append.ts";
import type { Appended, Question } from "./append.ts";
import type { Row } from "./read-rows.ts";

/** Rows at a time: what the client sends in one request. */
const BLOCK = 500;
/** How many numbers' results are kept, for rows that repeat one. */
const MOST_KNOWN = 10_000;

/** What a number's rows get, once there is a result. */
interface Entry {
  appended: Appended | null;
}

/** The numbers that were sent last, for rows that repeat one. */
export interface Sent {
  find(question: Question): Entry | undefined;
  add(question: Question, entry: Entry): void;
}

export function createSent(): Sent {
  const entries = new Map<string, Entry>();
  function keyOf({ country, unreadCountry, number }: Question): string {
    return [country, unreadCountry, writingKey(number)].join("\n");
  }
  return {
    find: (question) => entries.get(keyOf(question)),
    add(question, entry) {
      entries.set(keyOf(question), entry);
      if (entries.size <= MOST_KNOWN) return;
      const [oldest] = entries.keys();
      entries.delete(oldest!);
    },
  };
}

async function* blocksOf(rows: AsyncIterable<Row>): AsyncGenerator<Row[]> {
  let block: Row[] = [];
  for await (const row of rows) {
    if (block.push(row) < BLOCK) continue;
    yield block;
    block = [];
  }
  if (block.length > 0) yield block;
}

/** How to verify rows. */
interface Work {
  readonly client: Checkline;
  readonly signal: AbortSignal;
  readonly sent: Sent;
  /** @throws InputError for a row that can't be written */
  readonly questionOf: (row: Row) => Question | Appended;
  /** Called for each row in order, as soon as it is known what to append. */
  readonly write: (row: Row, appended: Appended) => Promise<void>;
}

/**
 * Verifies rows, a block at a time. A number that was sent shortly before isn't sent again.
 * @throws ChecklineError and the signal's reason, after all rows before the first without a result are written
 */
export async function verifyRows(rows: AsyncIterable<Row>, work: Work): Promise<void> {
  for await (const block of blocksOf(rows)) {
    const asked: { readonly question: Question; readonly entry: Entry }[] = [];
    const entries = block.map((row): Entry => {
      const question = work.questionOf(row);
      if ("outcome" in question) return { appended: question };
      const earlier = work.sent.find(question);
      if (earlier !== undefined) return earlier;
      const entry: Entry = { appended: null };
      work.sent.add(question, entry);
      asked.push({ question, entry });
      return entry;
    });
    let next = 0;
    async function writeKnown(): Promise<void> {
      for (let entry = entries[next]; entry?.appended; entry = entries[next]) {
        await work.write(block[next]!, entry.appended);
        next += 1;
      }
    }
    await writeKnown();
    let answered = 0;
    const numbers = asked.map(({ question: { number, country } }) => ({ number, country }));
    for await (const item of work.client.lookupStream(numbers, { signal: work.signal })) {
      const { question, entry } = asked[answered]!;
      entry.appended = answerOf(item, question);
      answered += 1;
      await writeKnown();
    }
  }
}
