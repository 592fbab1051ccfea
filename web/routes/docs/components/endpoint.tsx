import { Cross } from "../../../components/site/cross.tsx";
import type { DocOperation } from "../../../plugins/docs/fields.ts";
import { FieldTable } from "./field-table.tsx";
import { Words } from "./words.tsx";

/** A call in one line, with its fields folded away. The build fills it in from the contract. */
export function Endpoint(props: DocOperation) {
  const { method, path, summary, description, session, parameters, status, answer } = props;
  const name = `${method} ${path}`;
  return (
    <details className="doc-endpoint group">
      <summary>
        <span className="label text-ink! sm:pt-1">{method}</span>
        <span className="min-w-0">
          <span className="block font-mono text-sm wrap-anywhere text-ink">{path}</span>
          <span className="block text-sm text-muted">{summary}</span>
        </span>
        <Cross />
      </summary>
      <div className="doc-flow">
        {(description !== undefined || session) && (
          <p>
            {description !== undefined && <Words text={`${description} `} />}
            {session && "Needs a session."}
          </p>
        )}
        {parameters.length > 0 && (
          <>
            <p className="label">What it takes</p>
            <FieldTable label={`Parameters of ${name}`} fields={parameters} optional />
          </>
        )}
        <p className="label">{answer.length > 0 ? `Answer: ${status}` : `Answer: ${status}, without a body`}</p>
        {answer.length > 0 && <FieldTable label={`Answer of ${name}`} fields={answer} />}
      </div>
    </details>
  );
}
