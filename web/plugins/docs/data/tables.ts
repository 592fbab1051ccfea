import { requiredAttribute, textAttribute } from "../tree.ts";
import type { DocElement } from "../tree.ts";
import { docOperation, schemaFields } from "./fields.ts";
import type { DocField } from "./fields.ts";

/** A table of fields that a page asks for. */
export interface DocTable {
  /** Its accessible name. */
  readonly label: string;
  readonly fields: readonly DocField[];
  /** Whether it says of each field whether it is required. */
  readonly optional: boolean;
}

/** The fields of a named schema, or with `only="…"` that one of them. */
function schemaTable(element: DocElement): DocTable {
  const schema = requiredAttribute(element, "schema");
  const only = textAttribute(element, "only");
  const fields = schemaFields(schema).filter(({ name }) => only === undefined || name === only);
  if (fields.length === 0) throw new Error(`${schema} has no field ${only}.`);
  return { label: `Fields of ${schema}`, fields, optional: false };
}

/** What `<FieldTable schema>`, `<ParameterTable endpoint>` and `<AnswerTable endpoint>` show; null for any other component. */
export function docTable(element: DocElement): DocTable | null {
  switch (element.name) {
    case "FieldTable":
      return schemaTable(element);
    case "ParameterTable": {
      const endpoint = requiredAttribute(element, "endpoint");
      return { label: `Parameters of ${endpoint}`, fields: docOperation(endpoint).parameters, optional: true };
    }
    case "AnswerTable": {
      const endpoint = requiredAttribute(element, "endpoint");
      return { label: `Answer of ${endpoint}`, fields: docOperation(endpoint).answer, optional: false };
    }
    default:
      return null;
  }
}
