import { join } from "node:path";
import { ROOT } from "./run.ts";

const STATE = join(ROOT, ".wrangler");

/** What to do about a failure of `npm start`, for those that its message alone doesn't explain. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/ENOSPC|no space left|SQLITE_FULL|disk is full/i, "The disk is full. Free some space, then start again."],
  [
    /SQLITE_(?:NOTADB|CORRUPT)|not a database|disk image is malformed/i,
    `The local database is damaged. To start over with an empty one, delete ${STATE}`,
  ],
  [/EEXIST.*mkdir|ENOTDIR/, `${STATE} must be a folder. Delete the file of that name, then start again.`],
];

/** A failure of `npm start` in words. */
export function explain(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return ADVICE.find(([pattern]) => pattern.test(message))?.[1] ?? message;
}
