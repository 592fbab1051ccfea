import type { ReactNode } from "react";
import { DATA_RELEASES } from "../../../contract/data.ts";
import { formatCount, formatUtcDay, shortDay } from "../../../contract/format.ts";
import type { Status } from "../../../contract/status.ts";
import { Cells } from "../../components/dashboard/cells.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { P95_TARGET_MS } from "../../content/promises.ts";
import { formatLatency, relativeTime } from "../../lib/format.ts";
import type { LiveStatus } from "./use-status.ts";
import { share, totalOf } from "./words.ts";

interface FigureProps {
  readonly name: string;
  /** Undefined while it loads. */
  readonly value: string | undefined;
  readonly note: ReactNode;
}

function Figure({ name, value, note }: FigureProps) {
  return (
    <div className="min-w-0 bg-surface p-4 sm:p-5">
      <dt className="label">{name}</dt>
      <dd className="mt-1">
        <div className="min-h-8 text-2xl font-medium text-ink tabular-nums">
          {value ?? <Skeleton className="mt-1.5 h-5 w-20" />}
        </div>
        <div className="min-h-5 text-sm text-muted">{note}</div>
      </dd>
    </div>
  );
}

/** The trip between the caller and us isn't measured. */
function p95Note(p95: number | null): ReactNode {
  const target = `under ${P95_TARGET_MS} ms`;
  if (p95 === null || p95 < P95_TARGET_MS) return `in our network; target: ${target}`;
  return <span className="text-possible">in our network; misses the target, {target}</span>;
}

/** Without a measurement to show. */
const NONE = "–";

/** The figures of verification, then all checks together. */
function measured({ components }: Status, now: number): readonly FigureProps[] {
  const { latency_ms: median, p95_ms: p95, measured_at: at } = components.find(({ id }) => id === "verification")!;
  const age = at === null ? "not measured yet" : relativeTime(Date.parse(at), now);
  const total = totalOf(components.flatMap(({ days }) => days ?? []));
  return [
    { name: "Median latency", value: median === null ? NONE : formatLatency(median), note: age },
    {
      name: "p95 latency",
      value: p95 === null ? NONE : formatLatency(p95),
      note: p95Note(p95),
    },
    {
      name: "Checks passed",
      value: total === null ? NONE : share(total),
      note: total === null ? "no history" : `of ${formatCount(total.checks)} since ${shortDay(total.since)}`,
    },
  ];
}

const LOADING: readonly FigureProps[] = ["Median latency", "p95 latency", "Checks passed"].map((name) => ({
  name,
  value: undefined,
  note: null,
}));

/** What most visitors come for, at a glance; `status` null while it loads. */
export function Figures({ status, now }: Pick<LiveStatus, "status" | "now">) {
  const { release, date } = DATA_RELEASES.numbering_plans;
  return (
    <Cells className="mt-4 rounded-lg border lg:grid-cols-4">
      {(status === null ? LOADING : measured(status, now)).map((figure) => (
        <Figure key={figure.name} {...figure} />
      ))}
      <Figure
        name="Numbering plans"
        value={release}
        note={<TextLink to="#data">{date === null ? "libphonenumber" : `released ${formatUtcDay(date)}`}</TextLink>}
      />
    </Cells>
  );
}
