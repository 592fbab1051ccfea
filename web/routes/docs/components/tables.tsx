import { Link } from "react-router";
import { Badge } from "../../../components/ui/badge.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import type { DocError, SandboxRow } from "../../../plugins/docs/data.ts";
import { breakable } from "./elements.tsx";
import { Words } from "./fields.tsx";

/** Every error with its own anchor: what happened, and how to fix it. The build fills it in from the contract. */
export function ErrorCatalog({ errors }: { errors: readonly DocError[] }) {
  return (
    <div className="doc-errors">
      {errors.map(({ code, id, status, message, fix }) => (
        <article key={code} aria-labelledby={id}>
          <h3 id={id}>
            <Link to={`#${id}`} className="font-mono hover:underline">
              {code}
            </Link>
            <Badge>{status}</Badge>
          </h3>
          <dl>
            <dt>What happened</dt>
            <dd>
              <Words text={message} />
            </dd>
            <dt>How to fix it</dt>
            <dd>
              <Words text={fix} />
            </dd>
          </dl>
        </article>
      ))}
    </div>
  );
}

/** The sandbox's numbers. The build fills it in from the contract. */
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
            <Td className="font-mono text-sm whitespace-nowrap" data-label="Number">
              <span className="inline-flex items-center gap-1">
                <span className="text-ink">{number}</span>
                <CopyButton text={number} label={`Copy ${number}`} className="-my-2" />
              </span>
            </Td>
            <Td className="sm:min-w-52" data-label="Scenario">
              {scenario}
              {message !== null && <span className="block text-sm text-muted">{message}</span>}
            </Td>
            <Td className="font-mono text-sm" data-label="Response code">
              {breakable(answer)}
            </Td>
            <Td numeric className="font-mono text-sm" data-label="HTTP status">
              {status}
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
