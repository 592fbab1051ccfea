import type { Database } from "../db.ts";
import { columnsOf, endLine, headerLine, noRows, ROW_TYPES, TABLES } from "./format.ts";
import type { RowType } from "./format.ts";

/** Accounts whose rows are read together, and rows of one query: D1 answers with some hundred kilobytes at a time. */
const ACCOUNTS = 200;
const ROWS = 2_000;

type StoredRow = Record<string, string | number | null>;

/** Text that stands after all other, in the order of UTF-8. */
const LAST = "\u{10FFFF}";

/** Where a reading of rows goes on: behind this row, in the order of the table. */
type Place = readonly (string | number | null)[];

/** The rows behind a place that belong to accounts up to `lastAccount`, that one included. */
async function readRows(
  db: Database,
  type: RowType,
  { after, lastAccount, limit }: { readonly after: Place; readonly lastAccount: string; readonly limit: number },
): Promise<StoredRow[]> {
  const { table, order } = TABLES[type];
  const place = order.map((_, index) => `?${index + 1}`).join(", ");
  const query = `
    SELECT ${columnsOf(type).join(", ")} FROM ${table}
    WHERE (${order.join(", ")}) > (${place}) AND ${order[0]} <= ?${order.length + 1}
    ORDER BY ${order.join(", ")} LIMIT ?${order.length + 2}`;
  const values = order.map((_, index) => after[index] ?? LAST);
  const { results } = await db.$client
    .prepare(query)
    .bind(...values, lastAccount, limit)
    .all<StoredRow>();
  return results;
}

async function* rowsBetween(
  db: Database,
  type: RowType,
  { after, lastAccount, limit }: { readonly after: string; readonly lastAccount: string; readonly limit: number },
): AsyncGenerator<StoredRow> {
  let place: Place = [after];
  for (;;) {
    const rows = await readRows(db, type, { after: place, lastAccount, limit });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limit) return;
    place = TABLES[type].order.map((column) => last[column]!);
  }
}

/**
 * A backup of every account, a JSON document an item: a header, for each account its own row before all others that belong to it, and
 * an end that tells how many there were. It is read in pages, so the database may be of any size and may be in use; an account that
 * is made meanwhile is in the backup with all that it has, or not at all. It is not when its address was that of an account which was
 * read before and has been deleted since: then the backup has what was read of that one.
 * @param now milliseconds since the Unix epoch
 * @throws whatever D1 throws
 */
export async function* exportLines(
  db: Database,
  now: number,
  { accounts = ACCOUNTS, rows: limit = ROWS } = {},
): AsyncGenerator<object> {
  yield headerLine(now);
  const counts = noRows();
  const emails = new Set<unknown>();
  let after = "";
  for (;;) {
    const page = await readRows(db, "account", { after: [after], lastAccount: LAST, limit: accounts });
    const lastAccount = page.at(-1)?.["id"];
    if (typeof lastAccount !== "string") break;
    const ids = new Set<unknown>();
    for (const row of page) {
      if (emails.has(row["email"])) continue;
      emails.add(row["email"]);
      ids.add(row["id"]);
      yield { type: "account", ...row };
    }
    counts.account += ids.size;
    for (const type of ROW_TYPES) {
      if (type === "account") continue;
      for await (const row of rowsBetween(db, type, { after, lastAccount, limit })) {
        if (!ids.has(row["user_id"])) continue;
        yield { type, ...row };
        counts[type] += 1;
      }
    }
    after = lastAccount;
  }
  yield endLine(counts);
}
