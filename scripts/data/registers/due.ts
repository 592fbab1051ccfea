import { openRegister } from "../../../worker/phone/allocation.ts";
import { prefixesOf } from "../encode.ts";
import { WIDTH } from "../plan-ranges.ts";
import { monthsAfter, prefixTableOf } from "./compile.ts";

/** A weekly refresh takes a newer register once it's a month newer than the last one, or one row in a hundred changed. */
const DUE_MONTHS = 1;
const DUE_SHARE = 0.01;

/** Why a refresh doesn't take a register's table yet; null if it does. */
export function notDue(last: string, next: string): string | null {
  const [from, to] = [openRegister(last).as_of, openRegister(next).as_of];
  const due = monthsAfter(from, DUE_MONTHS);
  const changed = changedShare(last, next);
  if (to >= due || changed >= DUE_SHARE) return null;
  return `of ${to}, with ${(100 * changed).toFixed(2)} % of its rows changed; waits for ${due} or ${100 * DUE_SHARE} %`;
}

/** How many rows were added, removed, or changed, apart from their dates, by how many there were. */
function changedShare(last: string, next: string): number {
  const [before, after] = [rowsOf(last), rowsOf(next)];
  const starts = new Set([...before.keys(), ...after.keys()]);
  return [...starts].filter((start) => before.get(start) !== after.get(start)).length / before.size;
}

function rowsOf(file: string): Map<string, string> {
  const { find } = openRegister(file);
  const starts = prefixesOf(prefixTableOf(file)).map((start) => start.padEnd(WIDTH, "0"));
  return new Map(starts.map((start) => [start, JSON.stringify({ ...find(start), holder_as_of: null })]));
}
