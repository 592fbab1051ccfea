import { Badge } from "../../../../components/ui/badge.tsx";
import { Table, Td, Th } from "../../../../components/ui/table.tsx";
import type { Row } from "../rows.ts";
import type { Verdict } from "../run.ts";

function OutcomeBadge({ verdict }: { verdict: Verdict | null }) {
  if (verdict === null) return <Badge>Not checked</Badge>;
  if (verdict.kind === "valid") return <Badge tone="verified">Valid</Badge>;
  if (verdict.kind === "invalid") return <Badge tone="invalid">Invalid</Badge>;
  return <Badge tone="possible">Failed</Badge>;
}

/** What else is known: line type, place and carrier of a number, or why there is none. */
function detailOf(verdict: Verdict | null): string {
  if (verdict === null) return "";
  if (verdict.kind === "failed") return `${verdict.code}: ${verdict.message}`;
  if (verdict.kind === "invalid") return verdict.result.reason ?? "";
  const { line_type, location, carrier } = verdict.result;
  return [line_type, location, carrier].filter((text) => text !== null).join(", ");
}

function resultOf(verdict: Verdict | null) {
  return verdict === null || verdict.kind === "failed" ? null : verdict.result;
}

function ResultRow({ row: { place, input, verdict } }: { row: Row }) {
  const result = resultOf(verdict);
  return (
    <tr>
      <Td numeric className="font-mono text-xs text-muted!">
        {place}
      </Td>
      <Th scope="row" className="max-w-60 font-mono text-sm font-normal! wrap-anywhere">
        <span className="inline-block min-w-34">{input}</span>
      </Th>
      <Td>
        <OutcomeBadge verdict={verdict} />
      </Td>
      <Td className="font-mono text-sm whitespace-nowrap">{result?.international_format ?? result?.number}</Td>
      <Td className="text-sm">{result?.country_name}</Td>
      <Td className="max-w-80 min-w-40 text-sm">{detailOf(verdict)}</Td>
    </tr>
  );
}

/** One page of results. */
export function ResultsTable({ rows }: { rows: readonly Row[] }) {
  return (
    <Table caption="Results" hideCaption className="border-t border-line [&_td]:px-3 [&_th]:px-3">
      <thead>
        <tr>
          <Th numeric>#</Th>
          <Th>Input</Th>
          <Th>Outcome</Th>
          <Th>Number</Th>
          <Th>Country</Th>
          <Th>Detail</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <ResultRow key={row.place} row={row} />
        ))}
      </tbody>
    </Table>
  );
}
