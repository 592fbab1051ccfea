import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import type { SandboxRow } from "../../../plugins/docs/data.ts";

/** The numbers that the sandbox knows. The build fills it in from the contract. */
export function SandboxTable({ rows }: { rows: readonly SandboxRow[] }) {
  const statuses = new Set(rows.map((row) => row.status));
  const kind = statuses.size > 1 ? "numbers" : statuses.has(200) ? "numbers that succeed" : "numbers that fail";
  return (
    <Table caption={`Sandbox: ${rows.length} ${kind}`} hideCaption flush className="doc-table">
      <thead>
        <tr>
          <Th>Number</Th>
          <Th>Scenario</Th>
          <Th>Response code</Th>
          <Th numeric>HTTP status</Th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ number, scenario, answer, status, message, id }) => (
          <tr key={number} id={id ?? undefined} className="doc-row">
            <Td className="font-mono text-sm whitespace-nowrap">
              <span className="inline-flex items-center gap-1">
                <span className="text-ink">{number}</span>
                <CopyButton text={number} label={`Copy ${number}`} className="-my-2" />
              </span>
            </Td>
            <Td className="min-w-52">
              {scenario}
              {message !== null && <span className="block text-sm text-muted">{message}</span>}
            </Td>
            <Td className="font-mono text-sm">{answer}</Td>
            <Td numeric className="font-mono text-sm">
              {status}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
