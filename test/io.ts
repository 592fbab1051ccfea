import { findSession, readSessionToken } from "../worker/accounts/sessions.ts";
import type { Session } from "../worker/accounts/sessions.ts";
import { createIo, createIsolate } from "../worker/io.ts";
import type { Io } from "../worker/io.ts";
import { TEST_SETTINGS } from "./worker.ts";
import type { RunningWorker } from "./worker.ts";

/** A request's `io` in this process, at a time in milliseconds since the Unix epoch. */
export function ioOf({ env }: Pick<RunningWorker, "env">, clock: () => number = Date.now): Io {
  return createIo(createIsolate({ ...TEST_SETTINGS, ...env }, { now: clock }), {
    // Without a handler, a failure not yet awaited would end the process.
    waitUntil: (work) => void work.catch(() => {}),
  });
}

/** The session of a token. @throws ApiError 401 */
export async function sessionOf(io: Io, token: string): Promise<Session> {
  return findSession(io, await readSessionToken(io, token));
}
