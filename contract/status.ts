import * as v from "valibot";
import { described, Timestamp } from "./body.ts";
import { COMPONENTS, CURRENT_SECONDS, STATUS_DAYS } from "./checks.ts";

export const COMPONENT_STATES = ["working", "failing", "unknown"] as const;
export type ComponentState = (typeof COMPONENT_STATES)[number];

const time = (text: string) => described(Timestamp, text);
const count = (text: string) => described(v.pipe(v.number(), v.integer(), v.minValue(0)), text);

const StatusDay = v.object({
  date: described(v.pipe(v.string(), v.isoDate()), "The day, in UTC."),
  checks: count("How many checks of that day were made. None is no measurement, not a failure."),
  successful: count("How many of them succeeded."),
});

const ComponentStatus = v.object({
  id: described(
    v.picklist(COMPONENTS),
    "Which part: the database, the store of key records near callers, or the queue.",
  ),
  state: described(
    v.picklist(COMPONENT_STATES),
    `What its last check found; \`unknown\` where none was made in the last ${CURRENT_SECONDS / 60} minutes, or none can be read.`,
  ),
  measured_at: described(v.nullable(Timestamp), "When its last check was made; null where none can be read."),
  latency_ms: described(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    "How long that check took, in milliseconds; null when it failed.",
  ),
  days: described(
    v.nullable(v.array(StatusDay)),
    `The last ${STATUS_DAYS} days, today last; null while the database cannot be read.`,
  ),
});
export type ComponentStatus = v.InferOutput<typeof ComponentStatus>;

const Incident = v.object({
  component: described(v.picklist(COMPONENTS), "The part whose checks failed."),
  started_at: time("The first check that failed."),
  last_failed_at: time("The last one that failed without a success, or a missing check, in between."),
  failed_checks: count("How many failed in a row."),
  ongoing: described(v.boolean(), "Whether no check of that part has been made since."),
});

/** What can become full: sizes in bytes, and how long the oldest message waits, in milliseconds. */
const CAPACITY_NAMES = [
  "database_bytes",
  "largest_ledger_bytes",
  "usage_queue_bytes",
  "mail_queue_bytes",
  "usage_queue_age_ms",
  "mail_queue_age_ms",
  "dead_letters_age_ms",
] as const;
export type CapacityName = (typeof CAPACITY_NAMES)[number];

const Capacity = v.object({
  state: described(
    v.picklist(["enough", "nearly_full", "unknown"]),
    `Whether everything that can become full has room left; \`unknown\` when nothing was measured in the last ${CURRENT_SECONDS / 60} minutes.`,
  ),
  nearly_full: described(v.array(v.picklist(CAPACITY_NAMES)), "What is nearly full."),
});
export type Capacity = v.InferOutput<typeof Capacity>;

export const Status = v.object({
  state: described(
    v.picklist(COMPONENT_STATES),
    "`failing` when one part is, else `unknown` when one part is, else `working`.",
  ),
  answered_at: time("When this was put together."),
  check_interval_seconds: count("How often parts are checked."),
  components: described(v.array(ComponentStatus), "Each part."),
  incidents: described(
    v.nullable(v.array(Incident)),
    `Checks of the last ${STATUS_DAYS} days that failed, newest first, 20 runs of them at most; null while the database cannot be read.`,
  ),
  schedule: described(
    v.object({
      state: described(
        v.picklist(["on_time", "late", "unknown"]),
        "Whether the service's own jobs, the checks among them, run when they should.",
      ),
      last_run_at: described(v.nullable(Timestamp), "When one of them last began."),
    }),
    "What keeps the measurements coming.",
  ),
  capacity: described(Capacity, "Room in databases and queues, measured with each check."),
});
export type Status = v.InferOutput<typeof Status>;
