import type { ReactNode } from "react";
import { Link } from "react-router";
import { Badge } from "../../../components/ui/badge.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import type { DocError, SandboxRow } from "../../../plugins/docs/data.ts";
import { breakable } from "../../../components/ui/breakable.tsx";
import { Words } from "./fields.tsx";

/** Every error with its own anchor: what happened, and how to fix it. The build fills it in from the contract. */
export function ErrorCatalog({ errors }: { errors: readonly DocError[] }) {
  return (
    <div className="doc-rows">
      {errors.map(({ code, id, status, message, fix }) => (
        <article key={code} aria-labelledby={id} data-words={`${code} ${status} ${message}`}>
          <h3 id={id}>
            <Link to={`#${id}`} className="font-mono hover:underline">
              {code}
            </Link>
            <Badge>{status}</Badge>
          </h3>
          <p className="mt-1.5 text-ink">
            <Words text={message} />
          </p>
          <p>
            <Words text={fix} />
          </p>
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

/** A version of the changelog beside its date. */
export function Release({ version, date, children }: { version: string; date: string; children: ReactNode }) {
  return (
    <article className="gap-x-8 border-line md:grid md:grid-cols-[6.5rem_minmax(0,1fr)]">
      <p className="label mb-3 md:sticky md:top-24 md:self-start md:pt-1.5">
        <span className="text-ink">{date}</span>
        <span className="ml-3 md:ml-0 md:block">{version}</span>
      </p>
      <div className="doc-flow border-line md:border-l md:pl-8">{children}</div>
    </article>
  );
}

/** Something a version changed. */
export function Change({ tag, children }: { tag: string; children: ReactNode }) {
  return (
    <div className="gap-x-4 border-t border-line pt-4 sm:grid sm:grid-cols-[5.5rem_minmax(0,1fr)]">
      <p className="max-sm:mb-1.5">
        <Badge>{tag}</Badge>
      </p>
      <div className="text-base">{children}</div>
    </div>
  );
}
