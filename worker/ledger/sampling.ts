import { createLru } from "../platform/lru.ts";
import { isRefused } from "./activity.ts";
import type { Sample } from "./part.ts";
import type { RecordedCaller, RecordingRequest, UsageRecorder } from "./recorder.ts";
import { MINUTE_MS } from "../platform/time.ts";

/** Accounts whose calls an isolate samples: about 1 MB. */
const MAX_ACCOUNTS = 10_000;

/** What an isolate has sampled of an account. Seconds and minutes are since the Unix epoch. */
interface Sampled {
  /** The last second of which it has a call that succeeded, … */
  succeeded: number;
  /** … and one that was refused. */
  refused: number;
  /** The last minute in which it sent that calls exceeded a rate limit, … */
  minute: number;
  /** … and those that it has not sent, which travel with the next sample. */
  limited: Map<number, number>;
}

const newSampled = (): Sampled => ({ succeeded: -1, refused: -1, minute: -1, limited: new Map() });

/**
 * Chooses the calls that the dashboard shows: for each account, of those that succeeded and of those that were refused one a second each.
 * Calls over a rate limit are counted by minute, and make no message but the first of a minute.
 */
export function createSampling(recorder: Pick<UsageRecorder, "note">) {
  const accounts = createLru<Sampled>(MAX_ACCOUNTS);

  return {
    /** Whether a call that ended now is to be noted. Nothing is made for one that is not. */
    isDue(user: string, status: number, now: number): boolean {
      const sampled = accounts.obtain(user, newSampled);
      if (status === 429) {
        const minute = Math.floor(now / MINUTE_MS);
        sampled.limited.set(minute, (sampled.limited.get(minute) ?? 0) + 1);
        if (sampled.minute === minute) return false;
        sampled.minute = minute;
        return true;
      }
      const second = Math.floor(now / 1000);
      const last = isRefused(status) ? "refused" : "succeeded";
      if (sampled[last] === second) return false;
      sampled[last] = second;
      return true;
    },

    /** Sends a call that is due with the account's counts. */
    note(request: RecordingRequest, caller: RecordedCaller, sample: Sample): void {
      const limited = accounts.get(caller.user)?.limited;
      recorder.note(request, caller, {
        activity: sample[4] === 429 ? [] : [sample],
        limited: [...(limited ?? [])],
      });
      limited?.clear();
    },
  };
}

export type Sampling = ReturnType<typeof createSampling>;
