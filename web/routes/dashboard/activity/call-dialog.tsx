import type { ReactNode } from "react";
import type { ActivityCall } from "../../../../contract/activity.ts";
import { formatCount } from "../../../../contract/format.ts";
import { SANDBOX_FAILURES } from "../../../../contract/sandbox.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { ButtonLink } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { chooseMode } from "../../../lib/mode.ts";
import { docsOf, StatusBadge, What } from "./call-parts.tsx";
import { explain, WithCode } from "./error-fix.tsx";
import { textOf } from "./key-label.ts";
import type { KeyLabel } from "./key-label.ts";

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-4 gap-y-0.5 py-2 sm:grid-cols-[8rem_minmax(0,1fr)]">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="min-w-0 text-sm wrap-anywhere text-ink">{children}</dd>
    </div>
  );
}

/** "Nov 21, 2026, 14:50:33 GMT+1", in the reader's time zone. */
function exactTime(at: string): string {
  return new Date(at).toLocaleString("en-US", { dateStyle: "medium", timeStyle: "long", hourCycle: "h23" });
}

interface CallDialogProps {
  readonly call: ActivityCall;
  readonly apiKey: KeyLabel;
  readonly onClose: () => void;
}

/** What an error means, and what to do about it. */
function Trouble({ code }: { code: string }) {
  const error = explain(code);
  return (
    <div className="mt-3 grid gap-2">
      <p>
        <code className="font-mono text-sm wrap-anywhere text-ink">{code}</code>
      </p>
      {error && (
        <>
          <p className="text-ink">
            <WithCode>{error.message}</WithCode>
          </p>
          <h3 className="label mt-2">{error.isSandbox ? "Why" : "How to fix it"}</h3>
          <p className="text-soft">
            <WithCode>{error.fix}</WithCode>
          </p>
        </>
      )}
      <p>
        <TextLink to={docsOf(code)}>Read more in the docs</TextLink>
      </p>
    </div>
  );
}

/** The operations that send one number. */
const SINGLE = new Set(["verify", "verifyAlias", "verifyInSandbox", "verifyLive"]);

/** Leads to Try it in the call's mode, with the sandbox's number for the error, if it has one. */
function TryAgain({ code, mode }: Pick<ActivityCall, "code" | "mode">) {
  const scenario = SANDBOX_FAILURES.find(({ name }) => name === code);
  return (
    <div className="mt-6 grid justify-items-start gap-3">
      <ButtonLink
        to="/dashboard#try"
        state={scenario && { tryNumber: scenario.number }}
        variant="secondary"
        onClick={() => chooseMode(mode)}
      >
        Open in Try it
      </ButtonLink>
      <p className="text-sm text-muted">
        {scenario
          ? "Opens with the sandbox number that returns this error."
          : "We don’t store numbers, so this opens with a sample."}
      </p>
    </div>
  );
}

/** All that is known about a call, beside the list; for an error first what happened and how to fix it. */
export function CallDialog({ call, apiKey, onClose }: CallDialogProps) {
  const { at, request_id: id, code, mode, numbers, fields, duration_ms: took, data_center: place, operation } = call;
  return (
    <Dialog open onOpenChange={onClose} title="Call details" align="side">
      <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 text-ink">
        <StatusBadge call={call} />
        <span>
          <What call={call} />
        </span>
      </p>
      {code !== null && <Trouble code={code} />}
      <dl className="mt-5 divide-y divide-line border-y border-line">
        <Item name="Time">
          <time dateTime={at}>{exactTime(at)}</time>
          <code className="block font-mono text-xs text-muted">{at}</code>
        </Item>
        <Item name="Key">
          <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            {textOf(apiKey)}
            <Badge tone={mode}>{mode}</Badge>
          </span>
        </Item>
        {fields.length > 0 && (
          <Item name="Fields sent">
            <code className="font-mono text-xs">{fields.join(", ")}</code>
            {numbers > 1 && `, ${formatCount(numbers, "number")}`}
            <span className="block text-muted">Only their names. We don’t keep what was in them.</span>
          </Item>
        )}
        <Item name="Duration">{formatCount(took)} ms</Item>
        {place !== null && <Item name="Data center">{place}</Item>}
        <Item name="Request ID">
          <span className="flex items-center gap-1">
            <code className="font-mono text-xs">{id}</code>
            <CopyButton text={id} label="Copy request ID" className="-my-2" />
          </span>
        </Item>
      </dl>
      {SINGLE.has(operation) && <TryAgain code={code} mode={mode} />}
    </Dialog>
  );
}
