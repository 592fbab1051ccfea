import { createLru } from "../platform/lru.ts";
import { isRejected } from "./activity.ts";
import type { Sample } from "./part.ts";
import type { RecordedCaller, RecordingRequest, UsageRecorder } from "./recorder.ts";
import { MINUTE_MS } from "../platform/time.ts";

/** Accounts whose calls an isolate samples: about 1 MB. */
const MAX_ACCOUNTS = 10_000;

/** An isolate's samples of an account. Seconds and minutes are since the Unix epoch. */
interface Sampled {
  /** The last second with a sampled success, … */
  succeeded: number;
  /** … and with a sampled failure. */
  rejected: number;
  /** The last minute for which it reported calls over a rate limit, … */
  minute: number;
  /** … and those not yet reported, sent with the next sample. */
  limited: Map<number, number>;
}

const newSampled = (): Sampled => ({ succeeded: -1, rejected: -1, minute: -1, limited: new Map() });

/**
 * Picks the calls that the dashboard shows: per account, one success and one failure per second. Calls over a rate
 * limit are counted per minute, and only the first of a minute sends a message.
 */
export function createSampling(recorder: Pick<UsageRecorder, "note">) {
  const accounts = createLru<Sampled>(MAX_ACCOUNTS);

  return {
    /** Whether to sample a call that ended now. Nothing is allocated otherwise. */
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
      const last = isRejected(status) ? "rejected" : "succeeded";
      if (sampled[last] === second) return false;
      sampled[last] = second;
      return true;
    },

    /** Sends a sampled call with the account's counts. */
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
