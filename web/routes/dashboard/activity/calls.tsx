import { clsx } from "clsx";
import { memo, Suspense, useState } from "react";
import type { ActivityCall } from "../../../../contract/activity.ts";
import { Card } from "../../../components/ui/card.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { formatCount } from "../../../../contract/format.ts";
import { formatDate } from "../../../lib/format.ts";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { docsOf, StatusBadge, What } from "./call-parts.tsx";
import { textOf, withoutHint } from "./key-label.ts";
import type { KeyLabel } from "./key-label.ts";

// With all error texts, which only it needs.
const CallDialog = lazyPart(() => import("./call-dialog.tsx").then((module) => module.CallDialog));

/** The code of an error, which leads to its explanation. */
function ErrorCode({ call: { code }, className }: { call: ActivityCall; className?: string }) {
  if (code === null) return null;
  return (
    <TextLink to={docsOf(code)} className={clsx("relative z-1 inline-block py-1 font-mono text-xs", className)}>
      {code}
    </TextLink>
  );
}

function RequestId({ id }: { id: string }) {
  return (
    <span className="flex items-center gap-1">
      <code title={id} className="font-mono text-xs whitespace-nowrap">
        {`…${id.slice(-8)}`}
      </code>
      <CopyButton text={id} label={`Copy request ID ${id}`} className="relative z-1 -my-2 @max-2xl:-mr-2" />
    </span>
  );
}

/** On one line: a long name is cut off. */
function KeyAndDuration({ name, duration }: { name: string; duration: string }) {
  return (
    <span className="flex min-w-0">
      <span title={name} className="truncate">
        {name}
      </span>
      <span className="whitespace-pre"> · {duration}</span>
    </span>
  );
}

const CELL = "py-2! align-middle! text-sm whitespace-nowrap";
/** A separate column if there is room; otherwise below the time, … */
const HEAD = "hidden px-3! @2xl:table-cell";
const WIDE = `${HEAD} ${CELL}`;
/** … or below the call. */
const WIDER_HEAD = "hidden px-3! @4xl:table-cell";
const WIDER = `${WIDER_HEAD} ${CELL}`;

interface CallRowProps {
  readonly call: ActivityCall;
  readonly apiKey: KeyLabel;
  readonly onOpen: (call: ActivityCall) => void;
}

/** Drawn once, although the list is read again every few seconds. */
const CallRow = memo(function CallRow({ call, apiKey, onOpen }: CallRowProps) {
  const { at, request_id: id, duration_ms: took, data_center: place } = call;
  const duration = `${formatCount(took)} ms`;
  return (
    <tr data-call="" className="relative hover:bg-sunken/60">
      <Th
        scope="row"
        className="py-3! align-middle! font-normal! @max-2xl:w-full @max-2xl:max-w-0 @2xl:py-2! @2xl:pr-3!"
      >
        <span className="flex items-center justify-between gap-3">
          <span className="text-sm text-soft">
            {/* Its area is the whole row. */}
            <button
              type="button"
              className="py-0.5 underline-offset-4 after:absolute after:inset-0 hover:underline"
              onClick={() => onOpen(call)}
            >
              <time dateTime={at} title={at} className="whitespace-nowrap tabular-nums">
                {/* In the reader's time zone; the title has it in UTC. */}
                {new Date(at).toTimeString().slice(0, "14:50:33".length)}
              </time>
              <span className="sr-only"> details</span>
            </button>
            <span className="ml-2.5 @2xl:hidden">
              <What call={call} />
            </span>
          </span>
          <span className="@2xl:hidden">
            <StatusBadge call={call} />
          </span>
        </span>
        <ErrorCode call={call} className="wrap-anywhere @2xl:hidden" />
        <span className="mt-0.5 flex items-center justify-between gap-3 text-sm text-muted @2xl:hidden">
          <KeyAndDuration name={apiKey.name} duration={duration} />
          <RequestId id={id} />
        </span>
      </Th>
      <Td className={`${WIDE} w-px`}>
        <span className="flex items-center gap-x-2.5">
          <StatusBadge call={call} />
          <ErrorCode call={call} className="@max-4xl:hidden" />
        </span>
      </Td>
      <Td className={`${WIDE} @max-4xl:w-full @max-4xl:max-w-0`}>
        <span className="block truncate">
          <What call={call} />
          <ErrorCode call={call} className="ml-2.5 @4xl:hidden" />
        </span>
        <span className="block text-muted @4xl:hidden">
          <KeyAndDuration name={apiKey.name} duration={duration} />
        </span>
      </Td>
      <Td title={textOf(apiKey)} className={`${WIDER} w-full max-w-0 truncate text-muted!`}>
        {textOf(apiKey)}
      </Td>
      <Td className={`${WIDER} tabular-nums`}>
        {duration}
        {place !== null && <span className="text-muted"> · {place}</span>}
      </Td>
      <Td className={WIDE}>
        <RequestId id={id} />
      </Td>
    </tr>
  );
});

/** The calls by day in the reader's time zone, newest first. */
export function Calls({ calls, names }: { calls: readonly ActivityCall[]; names: ReadonlyMap<string, KeyLabel> }) {
  const [shown, setShown] = useState<ActivityCall | null>(null);
  const labelOf = (call: ActivityCall) => names.get(call.key_id) ?? withoutHint(call.key_id);
  return (
    <Card padding="none" className="@container">
      <Table hideCaption caption="Calls, newest first">
        {/* A lone column needs no name. */}
        <thead className="@max-2xl:hidden">
          <tr>
            <Th>Time</Th>
            <Th className={HEAD}>Response</Th>
            <Th className={HEAD}>Call</Th>
            <Th className={WIDER_HEAD}>Key</Th>
            <Th className={WIDER_HEAD}>Duration</Th>
            <Th className={HEAD}>Request</Th>
          </tr>
        </thead>
        {[...Map.groupBy(calls, ({ at }) => formatDate(at))].map(([day, ofDay]) => (
          <tbody key={day} className="not-last:[&_tr:last-child]:border-b!">
            <tr className="bg-sunken">
              <Th scope="rowgroup" colSpan={6} className="py-1.5! text-muted!">
                {day}
              </Th>
            </tr>
            {ofDay.map((call) => (
              <CallRow key={call.request_id} call={call} apiKey={labelOf(call)} onOpen={setShown} />
            ))}
          </tbody>
        ))}
      </Table>
      {shown && (
        <Suspense>
          <CallDialog call={shown} apiKey={labelOf(shown)} onClose={() => setShown(null)} />
        </Suspense>
      )}
    </Card>
  );
}
