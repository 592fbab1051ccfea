import type { ActivityCall } from "../../../../contract/activity.ts";
import { formatCount } from "../../../../contract/format.ts";
import { SANDBOX_FAILURES } from "../../../../contract/sandbox.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { countryName } from "../../../lib/format.ts";

const OPERATIONS: Readonly<Record<string, string>> = {
  verify: "Verify",
  verifyAlias: "Verify",
  verifyBatch: "Batch",
  verifyStream: "Stream",
  mcp: "MCP",
  verifyFromDashboard: "Bulk verify",
  verifyInSandbox: "Try it",
  verifyLive: "Try it",
  quota: "Quota",
};

/** Where the documentation explains an error. */
export function docsOf(code: string): string {
  if (SANDBOX_FAILURES.some(({ name }) => name === code)) return "/docs/sandbox";
  return `/docs/errors#error-${code.toLowerCase()}`;
}

/** The operation, and the country or how many numbers. */
export function What({ call }: { call: ActivityCall }) {
  const about = call.numbers === 1 ? call.country && countryName(call.country) : formatCount(call.numbers, "number");
  return (
    <>
      {OPERATIONS[call.operation] ?? call.operation}
      {call.numbers > 0 && about && <span className="text-muted">, {about}</span>}
    </>
  );
}

export function StatusBadge({ call: { status } }: { call: ActivityCall }) {
  return <Badge tone={status >= 400 ? "invalid" : "neutral"}>{status}</Badge>;
}
