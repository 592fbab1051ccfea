import { BULK_DATABASE, BULK_KEPT_DAYS } from "../../../lib/session/kept-check.ts";
import type { Condition } from "../../../lib/acceptance.ts";
import { DAY_MS } from "../../../lib/format.ts";
import type { Rows } from "../../../../lists/cells.ts";
import type { Reading } from "../../../../lists/columns/columns.ts";
import type { Taken } from "../../../../lists/sheet.ts";
import type { Table } from "../../../../lists/read/table.ts";
import type { ResultCells } from "../../../../lists/write/result-columns.ts";

/** What the user chooses about a check. */
export interface CheckChoices {
  /** ISO code for rows without a country of their own, or "". */
  readonly country: string;
  /** Whether it is also for rows whose country can't be read. */
  readonly coversUnread: boolean;
  /** Which numbers are accepted. */
  readonly condition: Condition;
}

/** A check's data besides its rows and results. */
export interface CheckInfo extends CheckChoices {
  readonly id: string;
  /** Its account. */
  readonly account: string;
  readonly name: string;
  readonly reading: Reading;
  /** The countries in their column, as they were read: after a reload, the browser may know other names. */
  readonly countries: ReadonlyMap<string, string>;
  /** When it began, in milliseconds since the Unix epoch. */
  readonly startedAt: number;
  /** The suggestions that were accepted, in order. */
  readonly taken: readonly Taken[];
  /** How many numbers had a result when all rows were downloaded; 0 if they have changed since. */
  readonly saved: number;
}

export interface SavedCheck {
  readonly info: CheckInfo;
  readonly rows: Rows;
  readonly source: Table["source"];
  readonly results: readonly ResultCells[];
}

/** What changes about a check besides its results. */
export type Progress = Pick<CheckInfo, "taken" | "saved">;

const INFO = "info";
const ROWS = "rows";
const SOURCE = "source";
const RESULTS = "results";
const STORES = [INFO, ROWS, SOURCE, RESULTS] as const;
const KEY = "check";
/** Rows stored together. */
const BLOCK = 2_000;

function settled<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result));
    request.addEventListener("error", () => reject(request.error ?? new Error("The storage failed.")));
  });
}

function finished(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve());
    // After an error, too.
    transaction.addEventListener("abort", () => reject(transaction.error ?? new Error("The storage failed.")));
  });
}

async function open(): Promise<IDBDatabase> {
  const request = indexedDB.open(BULK_DATABASE, 1);
  request.addEventListener("upgradeneeded", () => {
    for (const name of STORES) request.result.createObjectStore(name);
  });
  // Logging out deletes it, here or in another tab.
  request.addEventListener("success", () =>
    request.result.addEventListener("versionchange", () => request.result.close()),
  );
  return settled(request);
}

/** Opens the database for some work, and closes it afterward. */
async function within<T>(mode: IDBTransactionMode, work: (transaction: IDBTransaction) => Promise<T>): Promise<T> {
  const database = await open();
  try {
    const transaction = database.transaction(STORES, mode);
    const end = finished(transaction);
    const [result] = await Promise.all([work(transaction), end]);
    return result;
  } finally {
    database.close();
  }
}

function infoIn(transaction: IDBTransaction): Promise<CheckInfo | undefined> {
  return settled(transaction.objectStore(INFO).get(KEY));
}

/** Deletes the stored check, or nothing if it doesn't have this id. */
async function clear(id?: string): Promise<void> {
  await within("readwrite", async (transaction) => {
    const info = await infoIn(transaction);
    if (id !== undefined && info?.id !== id) return;
    for (const name of STORES) transaction.objectStore(name).clear();
  });
}

function isCurrent({ account, startedAt }: CheckInfo, reader: string, now: number): boolean {
  return account === reader && now - startedAt < BULK_KEPT_DAYS * DAY_MS;
}

/**
 * This browser's own database, in which a check survives a reload. Everything may fail: storage may be blocked or full.
 */
export const checkStore = {
  /** Deletes a check, unless another has replaced it. */
  clear: (id: string) => clear(id),
  /** Keeps a new check, in place of any other. */
  begin: (info: CheckInfo, { rows, source }: Pick<Table, "rows" | "source">) =>
    within("readwrite", async (transaction) => {
      for (const name of STORES) transaction.objectStore(name).clear();
      for (let at = 0; at < rows.length; at += BLOCK) {
        transaction.objectStore(ROWS).put(rows.slice(at, at + BLOCK), at);
      }
      transaction.objectStore(SOURCE).put(source, KEY);
      transaction.objectStore(INFO).put(info, KEY);
    }),
  /** Appends results. Fails if another check has replaced this one. */
  add: (id: string, first: number, results: readonly ResultCells[]) =>
    within("readwrite", async (transaction) => {
      const info = await infoIn(transaction);
      if (info?.id !== id) throw new Error("Another check has taken the place.");
      transaction.objectStore(RESULTS).put(results, first);
    }),
  /** Replaces what has changed. Fails if another check has replaced this one, or another tab has changed it. */
  change: (id: string, before: Progress, after: Progress) =>
    within("readwrite", async (transaction) => {
      const info = await infoIn(transaction);
      if (info?.id !== id || info.taken.length !== before.taken.length) throw new Error("Another tab has changed it.");
      transaction.objectStore(INFO).put({ ...info, ...after }, KEY);
    }),
  /** The account's check; null if there is none. Another account's, or an old one, is deleted. */
  async load(account: string, now: number): Promise<SavedCheck | null> {
    const saved = await within("readonly", async (transaction) => {
      const info = await infoIn(transaction);
      if (info === undefined) return null;
      if (!isCurrent(info, account, now)) return "old";
      const [rows, source, results] = await Promise.all([
        settled<Rows[]>(transaction.objectStore(ROWS).getAll()),
        settled<Table["source"]>(transaction.objectStore(SOURCE).get(KEY)),
        settled<(readonly ResultCells[])[]>(transaction.objectStore(RESULTS).getAll()),
      ]);
      return { info, rows: rows.flat(), source, results: results.flat() };
    });
    if (saved !== "old") return saved;
    await clear();
    return null;
  },
};

export type CheckStore = typeof checkStore;

/** Deletes another account's or an expired check, without reading it. Call it where no check is open. */
export async function deleteOldCheck(account: string, now: number): Promise<void> {
  const known = await indexedDB.databases?.();
  if (known?.some(({ name }) => name === BULK_DATABASE) === false) return;
  const info = await within("readonly", infoIn);
  if (info !== undefined && !isCurrent(info, account, now)) await clear();
}
