import * as v from "valibot";

const Time = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

/** A message that is sent to see how long it takes. It travels with those that carry usage. `at` is when its run began, which names the check. */
export const Probe = v.object({ probe: v.object({ at: Time, sent_at: Time }) });
export type ProbeMessage = v.InferOutput<typeof Probe>;
