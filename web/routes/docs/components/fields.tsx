import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Cross } from "../../../components/ui/cross.tsx";
import { curly } from "../../../lib/quotes.ts";
import type { DocField, DocOperation } from "../../../plugins/docs/fields.ts";
import { InlineCode } from "./elements.tsx";

/** A text of the contract, with code in backticks. */
export function Words({ text }: { text: string }) {
  return text
    .split(/(`[^`]+`)/)
    .map((part, index) =>
      part.startsWith("`") ? <InlineCode key={index}>{part.slice(1, -1)}</InlineCode> : curly(part),
    );
}

interface FieldTableProps {
  readonly label: string;
  readonly fields: readonly DocField[];
  /** Shows which fields are required. */
  readonly optional?: boolean;
  /** The prefix of each field's anchor: `field-carrier`. */
  readonly anchor?: string | undefined;
  /** The field whose fields these are; its name is muted in theirs. */
  readonly of?: string;
}

/** The most values that a type lists. */
const FEW = 5;

/** `string[] | null` for a type with many values, and the values; null if there are few. */
function foldedType(type: string): { readonly short: string; readonly values: readonly string[] } | null {
  const values = type.match(/"[^"]*"/g) ?? [];
  if (values.length <= FEW) return null;
  const short = type.replace(/"[^"]*"(?: \| "[^"]*")*/, "string").replace("(string)", "string");
  return { short: `${short} · ${values.length} values`, values };
}

/** Types with several values break after the pipes. */
function Type({ type }: { type: string }) {
  const parts = type.split(" | ");
  return parts.map((part, index) => (
    <span key={part}>
      {part}
      {index < parts.length - 1 && (
        <>
          <span aria-hidden="true">&nbsp;| </span>
          <span className="sr-only"> or </span>
        </>
      )}
    </span>
  ));
}

/** A request's or response's fields. The build fills it in from the contract. */
export function FieldTable({ label, fields, optional = false, anchor, of = "" }: FieldTableProps) {
  const isWithin = ({ name }: DocField, outer: DocField) =>
    name.startsWith(`${outer.name}.`) || name.startsWith(`${outer.name}[].`);
  const outermost = fields.filter((field) => !fields.some((other) => isWithin(field, other)));
  return (
    <dl aria-label={label} className="doc-fields">
      {outermost.map((field) => {
        const { name, type, required, fallback, description } = field;
        const folded = foldedType(type);
        const inner = fields.filter((other) => isWithin(other, field));
        return (
          <div key={name} id={anchor && `${anchor}-${name}`}>
            <dt>
              <span className="doc-typed">
                <code className="doc-name">
                  {of && <span className="font-normal text-muted">{of}</span>}
                  {name.slice(of.length)}
                </code>
                <span className="label wrap-anywhere">{folded?.short ?? <Type type={type} />}</span>
              </span>
              {optional && (
                <span className={clsx("label", required && "text-ink!")}>
                  {required ? "required" : fallback === undefined ? "optional" : `optional, default ${fallback}`}
                </span>
              )}
            </dt>
            {description && (
              <dd>
                <Words text={description} />
              </dd>
            )}
            {folded && (
              <dd>
                <Fold summary="Values" of={name}>
                  <ul className="doc-values">
                    {folded.values.map((value) => (
                      <li key={value}>{value}</li>
                    ))}
                  </ul>
                </Fold>
              </dd>
            )}
            {inner.length > 0 && (
              <dd>
                <Fold summary={inner.length === 1 ? "1 field" : `${inner.length} fields`} of={name}>
                  <FieldTable
                    label={`Fields of ${name}`}
                    fields={inner}
                    optional={optional}
                    anchor={anchor}
                    of={name}
                  />
                </Fold>
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}

/** A field's content, collapsed. */
function Fold({ summary, of, children }: { summary: string; of: string; children: ReactNode }) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-6 items-center gap-1.5 text-sm text-muted hover:text-ink">
        <Cross />
        {summary}
        <span className="sr-only"> of {of}</span>
      </summary>
      {children}
    </details>
  );
}

/** A call in one line, with its fields collapsed. The build fills it in from the contract. */
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
            {session && "Requires a session."}
          </p>
        )}
        {parameters.length > 0 && (
          <>
            <p className="label">Request fields</p>
            <FieldTable label={`Parameters of ${name}`} fields={parameters} optional />
          </>
        )}
        <p className="label">{answer.length > 0 ? `Response: ${status}` : `Response: ${status}, without a body`}</p>
        {answer.length > 0 && <FieldTable label={`Response of ${name}`} fields={answer} />}
      </div>
    </details>
  );
}
