import * as v from "valibot";
import * as RESULT_VALUES from "../../../contract/result-values.ts";
import { VerificationResult } from "../../../contract/verification.ts";

/** A field of the result, or of an object in it. */
export interface Field {
  /** As in the API: `line_type`. */
  readonly name: string;
  readonly type: "text" | "boolean" | "texts" | ObjectType;
  readonly isNullable: boolean;
  /** Sentences. */
  readonly description: string;
  /** The known values of a text or of a list's texts; null if there is no such list. */
  readonly values: readonly string[] | null;
  /** The name of the type of those values: `LineType`; null for a constant too. */
  readonly valuesName: string | null;
  /** Whether a response that lacks it has no such object. */
  readonly isRequired: boolean;
  /** What replaces it if a response lacks it: a text, or the name of another boolean. Null if nothing has to. */
  readonly fallback: string | null;
}

/** An object's type in an SDK. */
export interface ObjectType {
  /** As the API's field: `short_code`. */
  readonly key: string;
  /** `ShortCode`. */
  readonly name: string;
  readonly description: string;
  /** In the order of the contract. */
  readonly fields: readonly Field[];
}

/** The parts of valibot's schemas that results consist of. */
interface Schema extends v.GenericSchema {
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly options?: readonly string[];
  readonly literal?: string;
  readonly entries?: Readonly<Record<string, Schema>>;
}

/** Booleans that aren't null, and the one that replaces each if a response lacks it. */
const SUBSTITUTES: Readonly<Record<string, string>> = { possible: "valid" };

/** A name of the API in another case: `lineType`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `LineType`. */
export function pascalCase(name: string): string {
  return camelCase(`_${name}`);
}

/** `LineType` for LINE_TYPES. */
function nameOfValues(options: readonly string[]): string | null {
  const found = Object.entries(RESULT_VALUES).find(([, values]) => (values as readonly string[]) === options);
  return found === undefined ? null : pascalCase(found[0].toLowerCase().replace(/s$/, ""));
}

function typeOf(name: string, schema: Schema, isNullable: boolean, description: string): Field["type"] {
  if (schema.entries) return objectType(name, schema.entries, isNullable, description);
  if (schema.type === "array" && (schema.item!.options ?? schema.item!.type === "string")) return "texts";
  if (schema.type === "boolean") return "boolean";
  if (schema.type === "string" || schema.options || schema.literal) return "text";
  throw new Error(`No SDK has a type for ${name}, which is ${schema.type}. Add one to scripts/sdks/result-types.`);
}

function fallbackOf(name: string, { type }: Schema, values: readonly string[] | null): string {
  const found = type === "boolean" ? SUBSTITUTES[name] : values?.length === 1 ? values[0] : values?.find(isUnknown);
  if (found === undefined) throw new Error(`Say in scripts/sdks/result-types/fields.ts what a missing ${name} is.`);
  return found;
}

function isUnknown(value: string): boolean {
  return value === "unknown";
}

function fieldOf(name: string, given: Schema, isRequired: boolean): Field {
  const isNullable = given.type === "nullable";
  const schema = isNullable ? given.wrapped! : given;
  const description = v.getDescription(given) ?? "";
  const type = typeOf(name, schema, isNullable, description);
  const { options } = type === "texts" ? schema.item! : schema;
  const values = schema.literal === undefined ? (options ?? null) : [schema.literal];
  const hasFallback = !isNullable && !isRequired && (type === "text" || type === "boolean");
  return {
    name,
    type,
    isNullable,
    description,
    values,
    valuesName: options === undefined ? null : nameOfValues(options),
    isRequired,
    fallback: hasFallback ? fallbackOf(name, schema, values) : null,
  };
}

/** Without one of its texts or booleans, an object that may be null is null. */
function objectType(
  key: string,
  entries: Readonly<Record<string, Schema>>,
  isNullable: boolean,
  description: string,
): ObjectType {
  const fields = Object.entries(entries).map(([name, entry]) =>
    fieldOf(name, entry, isNullable && entry.type !== "nullable" && entry.type !== "array"),
  );
  // What the field says about null isn't about the object.
  return { key, name: pascalCase(key), description: description.replace(/[;.].*/, "."), fields };
}

/** Nullable fields that every valid number has, and those that no valid number has. The engine's tests check them. */
export const KNOWN_IF_VALID: readonly string[] = [
  "number",
  "local_format",
  "international_format",
  "rfc3966",
  "country_prefix",
  "national_number",
];
export const NULL_IF_VALID: readonly string[] = ["reason", "suggestion", "short_code"];
/** The same for invalid numbers. */
export const KNOWN_IF_INVALID: readonly string[] = ["reason"];
export const NULL_IF_INVALID: readonly string[] = ["local_format", "international_format", "rfc3966", "status"];

/** A field that only some results have: null in the others. */
function nullIfAbsent(field: Field): Field {
  const description = field.description.replace(/\.$/, "; null otherwise.");
  return { ...field, isNullable: true, isRequired: false, description };
}

/** The result of a lookup in every SDK: with a test key's fields. Without `valid`, a response has no result. */
export function lookupResult(): ObjectType {
  const fields = Object.entries(VerificationResult.entries).map(([name, entry]) => {
    const schema = entry as unknown as Schema;
    return schema.type === "optional"
      ? nullIfAbsent(fieldOf(name, schema.wrapped!, true))
      : fieldOf(name, schema, name === "valid");
  });
  return {
    key: "lookup_result",
    name: "LookupResult",
    description: "The full result for one number. An invalid number is a result, not an error.",
    fields,
  };
}

/** The types of the objects in a result. */
export function nestedTypes({ fields }: ObjectType): ObjectType[] {
  return fields.flatMap(({ type }) => (typeof type === "object" ? [...nestedTypes(type), type] : []));
}

/** The fields without which a response has no such object. */
export function requiredFields({ fields }: ObjectType): Field[] {
  return fields.filter(({ isRequired }) => isRequired);
}

/** The known values of a field, as constants in an SDK. */
export interface ValueList {
  /** `LineType`. */
  readonly name: string;
  readonly values: readonly string[];
  /** The result's fields with these values, by the API's names: `deliverability.flags`. */
  readonly fields: readonly string[];
}

/** The lists of values in a result, in the order of its fields. */
export function valueLists(result: ObjectType): ValueList[] {
  const lists = new Map<string, { name: string; values: readonly string[]; fields: string[] }>();
  function collect({ fields }: ObjectType, prefix: string): void {
    for (const { name, type, values, valuesName } of fields) {
      if (typeof type === "object") collect(type, `${prefix}${name}.`);
      if (values === null || valuesName === null) continue;
      const list = lists.get(valuesName) ?? { name: valuesName, values, fields: [] };
      list.fields.push(`${prefix}${name}`);
      lists.set(valuesName, list);
    }
  }
  collect(result, "");
  return [...lists.values()];
}
