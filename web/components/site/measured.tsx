import { clsx } from "clsx";
import { useEffect, useRef, useState } from "react";
import { CURRENT_SECONDS } from "../../../contract/checks.ts";
import { DATA_RELEASES, dataReleaseName } from "../../../contract/data.ts";
import { service } from "../../../contract/endpoints/service.ts";
import type { ComponentState, ComponentStatus, Status } from "../../../contract/status.ts";
import { send } from "../../lib/api/send.ts";
import { formatLatency, relativeTime } from "../../lib/format.ts";
import { SiteLink } from "../ui/link.tsx";

/** Asked for once per page load, by the first part of the page in sight that quotes it. */
let asked: Promise<Status | null> | undefined;

async function ask(): Promise<Status | null> {
  try {
    const { ok, body } = await send(service.status, {});
    return ok ? (body as Status) : null;
  } catch {
    return null;
  }
}

/** The service's status once the element is in sight: undefined before, null without a response. */
function useStatusInSight() {
  const element = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState<Status | null>();
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry!.isIntersecting) return;
      observer.disconnect();
      asked ??= ask();
      void asked.then(setStatus);
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return { element, status };
}

function verificationOf({ components }: Status): ComponentStatus {
  return components.find(({ id }) => id === "verification")!;
}

/** "2 minutes ago", by the service's clock; null before the first measurement. */
function ageOf({ measured_at: at }: ComponentStatus, { answered_at: now }: Status): string | null {
  return at === null ? null : relativeTime(Date.parse(at), Date.parse(now));
}

/** Under the latency target: the 95th percentile that the service measured last, once it has. */
export function MeasuredLatency() {
  const { element, status } = useStatusInSight();
  const part = status && verificationOf(status);
  const p95 = part?.p95_ms ?? null;
  return (
    <dd ref={element} className="mt-1 text-sm text-muted" data-measured>
      {p95 !== null && (
        <SiteLink to="/status#method" className="underline underline-offset-3 hover:text-ink">
          p95 {formatLatency(p95)}, measured {ageOf(part!, status!)}
        </SiteLink>
      )}
    </dd>
  );
}

const STATES: Readonly<Record<ComponentState, readonly [text: string, dot: string]>> = {
  working: ["All systems operational", "bg-signal"],
  failing: ["A check is failing", "bg-invalid"],
  unknown: ["Status unknown", "bg-edge"],
  warming_up: ["First checks under way", "bg-edge"],
};

function latencyText(status: Status): string {
  const part = verificationOf(status);
  const age = ageOf(part, status);
  if (age === null) return "Verification: not measured yet";
  if (part.latency_ms === null || part.p95_ms === null) return `Verification: failed ${age}`;
  const isOld = Date.parse(status.answered_at) - Date.parse(part.measured_at!) > CURRENT_SECONDS * 1000;
  const figures = `median ${formatLatency(part.latency_ms)}, p95 ${formatLatency(part.p95_ms)}`;
  return `Verification: ${figures}, measured ${age}${isOld ? ", no newer check" : ""}`;
}

/** The footer's line: whether all works, the latency last measured, and the release of the numbering plans. */
export function MeasuredStatus() {
  const { element, status } = useStatusInSight();
  const [text, dot] = status ? STATES[status.state] : ["Status", "bg-edge"];
  return (
    <div ref={element} className="flex flex-wrap items-center gap-x-6 gap-y-1" data-measured>
      <SiteLink to="/status" className="inline-flex min-h-6 items-center gap-2 hover:text-ink hover:underline">
        <span aria-hidden="true" className={clsx("size-2 rounded-full forced-color-adjust-none", dot)} />
        {text}
      </SiteLink>
      {status && <span>{latencyText(status)}</span>}
      <span>Data: {dataReleaseName(DATA_RELEASES.numbering_plans)}</span>
    </div>
  );
}
