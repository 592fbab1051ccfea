import { clsx } from "clsx";
import { Children, isValidElement } from "react";
import type { ReactElement, ReactNode } from "react";
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
  /** Shows each field in a line with its example, which opens. */
  readonly folded?: boolean;
  /** The prefix of each field's anchor: `field-carrier`. */
  readonly anchor?: string | undefined;
  /** The field whose fields these are; its name is muted in theirs. */
  readonly of?: string;
  /** `Field`s: what a page says about some of the fields. */
  readonly children?: ReactNode;
}

interface FieldProps {
  readonly name: string;
  readonly children?: ReactNode;
}

/** What a page says about a field of the table around it. */
export function Field({ children }: FieldProps) {
  return children;
}

function isAbout(child: ReactNode, name: string): child is ReactElement<FieldProps> {
  return isValidElement<FieldProps>(child) && child.props.name === name;
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

/** A field's name, muted where it repeats the field around it, and its type. */
function NameAndType({ name, of, type }: { name: string; of: string; type: string }) {
  return (
    <span className="doc-typed">
      <code className="doc-name">
        {of && <span className="font-normal text-muted">{of}</span>}
        {name.slice(of.length)}
      </code>
      <span className="label wrap-anywhere">{foldedType(type)?.short ?? <Type type={type} />}</span>
    </span>
  );
}

/** A request's or response's fields. The build fills it in from the contract. */
export function FieldTable(props: FieldTableProps) {
  const { label, fields, optional = false, folded = false, anchor, of = "", children } = props;
  const isWithin = ({ name }: DocField, outer: DocField) =>
    name.startsWith(`${outer.name}.`) || name.startsWith(`${outer.name}[].`);
  const outermost = fields.filter((field) => !fields.some((other) => isWithin(field, other)));
  const rows = outermost.map((field) => ({
    ...field,
    id: anchor && `${anchor}-${field.name}`,
    about: Children.toArray(children).find((child) => isAbout(child, field.name)),
    inner: fields.filter((other) => isWithin(other, field)),
  }));
  const innerTable = (name: string, inner: readonly DocField[]) => (
    <FieldTable label={`Fields of ${name}`} fields={inner} optional={optional} anchor={anchor} of={name} />
  );
  if (folded) {
    return (
      <section aria-label={label} className="doc-rows doc-fields">
        {rows.map(({ name, type, description, example, source, id, about, inner }) => (
          <details key={name} id={id} className="group" data-words={`${name} ${type} ${description} ${source ?? ""}`}>
            <summary>
              <NameAndType name={name} of={of} type={type} />
              <Cross />
              {example !== undefined && <code className="doc-example">{example}</code>}
            </summary>
            <div className="doc-flow">
              <p>
                <Words text={description} />
              </p>
              {about}
              <Values type={type} />
              {inner.length > 0 && innerTable(name, inner)}
              {source !== undefined && <p className="text-sm text-muted">Based on {curly(source)}.</p>}
            </div>
          </details>
        ))}
      </section>
    );
  }
  return (
    <dl aria-label={label} className="doc-rows doc-fields">
      {rows.map(({ name, type, required, fallback, description, id, inner }) => (
        <div key={name} id={id}>
          <dt>
            <NameAndType name={name} of={of} type={type} />
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
          {foldedType(type) && (
            <dd>
              <Fold summary="Values" of={name}>
                <Values type={type} />
              </Fold>
            </dd>
          )}
          {inner.length > 0 && (
            <dd>
              <Fold summary={inner.length === 1 ? "1 field" : `${inner.length} fields`} of={name}>
                {innerTable(name, inner)}
              </Fold>
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}

/** The values of a type with many; nothing for others. */
function Values({ type }: { type: string }) {
  const folded = foldedType(type);
  return (
    folded && (
      <ul className="doc-values">
        {folded.values.map((value) => (
          <li key={value}>{value}</li>
        ))}
      </ul>
    )
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
