import { clsx } from "clsx";
import type { DocField } from "../../../plugins/docs/fields.ts";
import { Words } from "./words.tsx";

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

/** The fields of a request or an answer. The build fills it in from the contract. */
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
