import * as v from "valibot";

const Time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/**
 * A message that measures round-trip time, in the queue for usage. `at` is when its run began, which identifies the
 * check.
 */
export const Probe = v.object({ probe: v.object({ at: Time, sent_at: Time }) });
export type ProbeMessage = v.InferOutput<typeof Probe>;
