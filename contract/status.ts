import * as v from "valibot";
import { bodySchema, described, Timestamp } from "./body.ts";
import { COMPONENTS, CURRENT_SECONDS, STATUS_DAYS, WARMING_UP_MINUTES } from "./checks.ts";

export const COMPONENT_STATES = ["working", "failing", "unknown", "warming_up"] as const;
export type ComponentState = (typeof COMPONENT_STATES)[number];

const time = (text: string) => described(Timestamp, text);
const count = (text: string) => described(v.pipe(v.number(), v.integer(), v.minValue(0)), text);

const StatusDay = v.object({
  date: described(v.pipe(v.string(), v.isoDate()), "The day (UTC)."),
  checks: count("How many checks ran that day. Zero means no data, not a failure."),
  successful: count("How many succeeded."),
});

const ComponentStatus = v.object({
  id: described(
    v.picklist(COMPONENTS),
    "The component: verification itself, the database, or the store of key records near callers.",
  ),
  state: described(
    v.picklist(COMPONENT_STATES),
    `The last check's result; \`unknown\` if there was none in the last ${CURRENT_SECONDS / 60} minutes, or it can't be read; \`warming_up\` if there was never one, and the version was deployed less than ${WARMING_UP_MINUTES} minutes ago.`,
  ),
  measured_at: described(v.nullable(Timestamp), "When it was last checked; null if unavailable."),
  latency_ms: described(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    "The check's latency in milliseconds; null if it failed. For `verification`, the median of twenty test calls, without the network to you.",
  ),
  p95_ms: described(
    v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0))),
    "The 95th percentile of the test calls of `verification`, in milliseconds; null for the others, or if it failed.",
  ),
  days: described(
    v.nullable(v.array(StatusDay)),
    `The last ${STATUS_DAYS} days, today last; null while the database can't be read.`,
  ),
});
export type ComponentStatus = v.InferOutput<typeof ComponentStatus>;

const Incident = v.object({
  component: described(v.picklist(COMPONENTS), "The component that failed."),
  started_at: time("The first check that failed."),
  last_failed_at: time("The last failed check before a success or a missing check."),
  failed_checks: count("How many failed in a row."),
  ongoing: described(v.boolean(), "Whether that was also the component's latest check, so it may still be failing."),
});

/** What can fill up: sizes in bytes, how long the oldest dead letter has waited, in milliseconds, and emails per day. */
const CAPACITY_NAMES = ["database_bytes", "largest_ledger_bytes", "dead_letters_age_ms", "emails_per_day"] as const;
export type CapacityName = (typeof CAPACITY_NAMES)[number];

const Capacity = v.object({
  state: described(
    v.picklist(["enough", "nearly_full", "unknown"]),
    "Whether all storage, and the day's emails, have room left; `unknown` if nothing was measured in the last three hours.",
  ),
  nearly_full: described(v.array(v.picklist(CAPACITY_NAMES)), "What is nearly full."),
});
export type Capacity = v.InferOutput<typeof Capacity>;

export const Status = v.object({
  state: described(
    v.picklist(COMPONENT_STATES),
    "`failing` if any component is failing; otherwise `unknown` if any is unknown; otherwise `warming_up` if any is; otherwise `working`.",
  ),
  answered_at: time("When this was generated."),
  check_interval_seconds: count("How often components are checked."),
  components: described(v.array(ComponentStatus), "Each part."),
  incidents: described(
    v.nullable(v.array(Incident)),
    `Failed checks from the last ${STATUS_DAYS} days, newest first, up to 20 runs; null while the database can't be read.`,
  ),
  schedule: described(
    v.object({
      state: described(
        v.picklist(["on_time", "late", "unknown"]),
        "Whether the service's scheduled jobs, including these checks, run on time.",
      ),
      last_run_at: described(v.nullable(Timestamp), "When one last started."),
    }),
    "The scheduled jobs behind the measurements.",
  ),
  capacity: described(Capacity, "Capacity of databases and email, measured every hour."),
});
export type Status = v.InferOutput<typeof Status>;

export const StatusQuery = bodySchema({
  strict: described(
    v.optional(v.picklist(["", "true"])),
    "For monitors: a 503 if a component is failing or unknown, or the scheduled jobs are late. `?strict` is enough.",
  ),
});
