import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { addAbortSignal } from "node:stream";
import type { Readable } from "node:stream";
import { chain, openRows } from "../../../lists/read/open-rows.ts";
import type { ListRow, OpenedList } from "../../../lists/read/open-rows.ts";
import { InputError } from "./failure.ts";
import { surveyOf } from "./survey.ts";
import type { Survey } from "./survey.ts";

/** How many rows of what can be read only once are read before its columns are chosen. */
const AHEAD = 2_000;

/** A list: what it contains, and its rows, which can be read once. */
export interface Input extends OpenedList {
  readonly survey: Survey;
  /** Whether `survey` covers all rows. */
  readonly isWhole: boolean;
}

/** Where a list is. */
interface Source {
  /** Null for standard input. */
  readonly path: string | null;
  readonly encoding: string | undefined;
  readonly sheet: string | null;
  readonly signal: AbortSignal;
}

/** Reads a file once before its rows are read: any problem shows before anything is sent. */
async function openFile(path: string, { signal, ...source }: Source): Promise<Input> {
  const open = () => openRows(createReadStream(path, { signal }), path, source);
  const survey = await surveyOf((await open()).rows);
  return { ...(await open()), survey, isWhole: true };
}

/** Reads the first rows ahead. */
async function openStream(stream: Readable, { signal, path, ...source }: Source): Promise<Input> {
  const list = await openRows(addAbortSignal(signal, stream), path ?? "", source);
  const first: ListRow[] = [];
  let isWhole = false;
  while (first.length < AHEAD && !isWhole) {
    const { done, value } = await list.rows.next();
    if (done === true) isWhole = true;
    else first.push(value);
  }
  return { ...list, survey: await surveyOf(first), rows: chain(first, list.rows), isWhole };
}

/** Opens a list. Only a regular file can be read twice: a pipe is empty the second time. @throws Unusable, InputError */
export async function openInput(source: Source): Promise<Input> {
  const { path, signal } = source;
  if (path === null) return openStream(process.stdin, source);
  const found = await stat(path);
  if (found.isDirectory()) throw new InputError(`${path} is a folder. Name a file.`);
  return found.isFile() ? openFile(path, source) : openStream(createReadStream(path, { signal }), source);
}
