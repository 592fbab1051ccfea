import * as v from "valibot";
import { KEY_MODES } from "../../contract/limits.ts";
import { USAGE_OUTCOMES } from "./event.ts";
import type { UsageMessage } from "./event.ts";

/** The end of the year 9999: beyond it SQLite and JavaScript no longer agree what a day is. */
const LAST_TIME = 253_402_300_799_999;

/** Without anything that JSON escapes and of bounded length, so that an event is at most 360 bytes. */
const eventId = v.pipe(v.string(), v.regex(/^[\w.:+/=-]{1,100}$/));
const aliasId = v.pipe(v.string(), v.regex(/^[\w.:+/=-]{1,60}$/));
const rowId = v.pipe(v.string(), v.regex(/^\w{1,40}$/));

/** A message of the USAGE queue. Fields that a newer version of the worker may have added are dropped, not refused. */
export const UsageMessageSchema: v.GenericSchema<unknown, UsageMessage> = v.object({
  events: v.pipe(
    v.array(
      v.object({
        id: eventId,
        alias: v.exactOptional(aliasId),
        user_id: rowId,
        key_id: rowId,
        mode: v.picklist(KEY_MODES),
        at: v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(LAST_TIME)),
        country_code: v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)),
        outcome: v.picklist(USAGE_OUTCOMES),
      }),
    ),
    v.minLength(1),
    v.maxLength(1000),
  ),
});
