import { clsx } from "clsx";
import { Cross } from "../../../components/site/cross.tsx";
import type { DocField, DocOperation } from "../../../plugins/docs/fields.ts";

/** A text of the contract, which writes code in backticks. */
export function Words({ text }: { text: string }) {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) => (part.startsWith("`") ? <code key={index}>{part.slice(1, -1)}</code> : part));
}

interface FieldTableProps {
  readonly label: string;
  readonly fields: readonly DocField[];
  /** Says of each field whether it is required. */
  readonly optional?: boolean;
  /** Gives each field an anchor that begins with this: `field-carrier`. */
  readonly anchor?: string;
}

/** Types of many values break before the bars. */
function Type({ type }: { type: string }) {
  return type.split(" | ").map((part, index) => (
    <span key={part}>
      {index > 0 && (
        <>
          <wbr />
          <span aria-hidden="true"> | </span>
          <span className="sr-only"> or </span>
        </>
      )}
      {part}
    </span>
  ));
}

/** The fields of a request or a response. The build fills it in from the contract. */
export function FieldTable({ label, fields, optional = false, anchor }: FieldTableProps) {
  return (
    <dl aria-label={label} className="doc-fields">
      {fields.map(({ name, type, required, fallback, description }) => (
        <div key={name} id={anchor && `${anchor}-${name}`}>
          <dt>
            <code className="doc-name">{name}</code>
            <span className="label wrap-anywhere">
              <Type type={type} />
            </span>
            {optional && (
              <span className={clsx("label ml-auto", required && "text-ink!")}>
                {required ? "required" : fallback === undefined ? "optional" : `optional, default ${fallback}`}
              </span>
            )}
          </dt>
          {description && (
            <dd>
              <Words text={description} />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

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
        <p className="label">{answer.length > 0 ? `Response: ${status}` : `Response: ${status}, without a body`}</p>
        {answer.length > 0 && <FieldTable label={`Response of ${name}`} fields={answer} />}
      </div>
    </details>
  );
}
