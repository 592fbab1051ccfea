import { createReadStream } from "node:fs";
import { addAbortSignal } from "node:stream";
import type { Readable } from "node:stream";
import { chain, openRows } from "./read-rows.ts";
import type { Row, TextFile } from "./read-rows.ts";
import { surveyOf } from "./survey.ts";
import type { Survey } from "./survey.ts";

/** How many rows of standard input are read before its columns are chosen: it can't be read twice. */
const AHEAD = 2_000;

/** A list: what it contains, and its rows, which can be read once. */
export interface Input {
  readonly file: Omit<TextFile, "rows">;
  readonly survey: Survey;
  readonly rows: AsyncGenerator<Row>;
  /** Whether `survey` covers all rows. */
  readonly isWhole: boolean;
}

/** Reads a file once before its rows are read: any problem shows before anything is sent. @throws InputError */
export async function openFile(path: string, encoding: string | undefined, signal: AbortSignal): Promise<Input> {
  const open = () => openRows(createReadStream(path, { signal }), encoding);
  const survey = await surveyOf((await open()).rows);
  const file = await open();
  return { file, survey, rows: file.rows, isWhole: true };
}

/** Reads the first rows of a stream ahead. @throws InputError */
export async function openStream(stream: Readable, encoding: string | undefined, signal: AbortSignal): Promise<Input> {
  const file = await openRows(addAbortSignal(signal, stream), encoding);
  const first: Row[] = [];
  let isWhole = false;
  while (first.length < AHEAD && !isWhole) {
    const { done, value } = await file.rows.next();
    if (done === true) isWhole = true;
    else first.push(value);
  }
  return { file, survey: await surveyOf(first), rows: chain(first, file.rows), isWhole };
}
