import { describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import {
  camelCase,
  KNOWN_IF_INVALID,
  KNOWN_IF_VALID,
  nestedTypes,
  NULL_IF_INVALID,
  NULL_IF_VALID,
  requiredFields,
  valueLists,
} from "./fields.ts";
import type { Field, ObjectType } from "./fields.ts";

const WORDS = { value: (text: string) => `\`${text}\``, null: "null" };

/** Each list's constants, and their type of the same name, which stays open. */
function constants(result: ObjectType): string {
  const lists = valueLists(result).map((list) => {
    const members = list.values.map((value) => `${value.toUpperCase()}: "${value}",`).join(" ");
    const type = `Open<(typeof ${list.name})[keyof typeof ${list.name}]>`;
    return `/** ${describedList(list, camelCase)} */
export const ${list.name} = { ${members} } as const;
export type ${list.name} = ${type};
`;
  });
  return lists.join("\n");
}

function open(values: readonly string[]): string {
  return `Open<"${values.join('" | "')}">`;
}

function typeOf({ type, isNullable, values, valuesName }: Field): string {
  const text = valuesName ?? (values === null ? "string" : open(values));
  const name = typeof type === "object" ? type.name : { text, boolean: "boolean", texts: `readonly ${text}[]` }[type];
  return isNullable ? `${name} | null` : name;
}

function comment(text: string): string {
  const lines = wrap(text, 111);
  return lines.length === 1 ? `  /** ${text} */\n` : `  /**\n${lines.map((line) => `   * ${line}\n`).join("")}   */\n`;
}

function declared({ name, description, fields }: ObjectType, response = ""): string {
  const members = fields.map((field) => {
    // The type lists the values.
    const about = comment(describedFor(WORDS, { ...field, values: null }));
    return `${about}  readonly ${camelCase(field.name)}: ${typeOf(field)};\n`;
  });
  return `/** ${description} */\nexport interface ${name} {\n${members.join("")}${response}}\n`;
}

/** The result of a valid or an invalid number: its fields that are never null, or always. */
function variant(name: string, about: string, valid: boolean, { fields }: ObjectType): string {
  const [known, isNull] = valid ? [KNOWN_IF_VALID, NULL_IF_VALID] : [KNOWN_IF_INVALID, NULL_IF_INVALID];
  const members = fields.flatMap((field) => {
    if (field.name === "valid") return `  readonly valid: ${valid};\n`;
    if (isNull.includes(field.name)) return `  readonly ${camelCase(field.name)}: null;\n`;
    if (!known.includes(field.name)) return [];
    return `  readonly ${camelCase(field.name)}: ${typeOf({ ...field, isNullable: false })};\n`;
  });
  return `/** ${about} */\nexport interface ${name} extends ResultFields {\n${members.join("")}}\n`;
}

/** A union, so that a program that has checked \`valid\` knows what isn't null. */
function union(result: ObjectType, response: string): string {
  return `${declared({ ...result, name: "ResultFields", description: "What every result has." }, response)}
${variant("ValidResult", "The full result for a valid number.", true, result)}
${variant("InvalidResult", "The full result for an invalid number.", false, result)}
/** ${result.description} Check \`valid\`: it tells what else is known. */
export type LookupResult = ValidResult | InvalidResult;
`;
}

function readField({ name, type, fallback }: Field): string {
  const value = `fields["${name}"]`;
  if (typeof type === "object") return `read${type.name}(${value})`;
  if (type === "texts") return `texts(${value})`;
  if (type === "text") return `text(${value})${fallback === null ? "" : ` ?? "${fallback}"`}`;
  return `truth(${value})${fallback === null ? "" : ` ?? ${fallback}`}`;
}

function reader(type: ObjectType): string {
  const required = requiredFields(type);
  const locals = required.map((field) => `const ${camelCase(field.name)} = ${readField(field)};\n`);
  const missing = required.map(({ name }) => `${camelCase(name)} === null`).join(" || ");
  const properties = type.fields.map((field) => {
    const name = camelCase(field.name);
    return field.isRequired ? name : `${name}: ${readField(field)}`;
  });
  const [name, returned] =
    type.key === "lookup_result" ? ["readResult", `Omit<ResultFields, "response">`] : [`read${type.name}`, type.name];
  return `function ${name}(value: unknown): ${returned}${missing && " | null"} {
const fields = fieldsOf(value) ?? {};
${locals.join("")}${missing && `if (${missing}) return null;\n`}return { ${properties.join(", ")} };
}\n`;
}

export function javascript(result: ObjectType): Record<string, string> {
  const nested = nestedTypes(result);
  const response = `  /** The response that contained the result. Not enumerable, so JSON and copies omit it. */
  readonly response: ResponseInfo;\n`;
  const text = `// ${GENERATED}
import { fieldsOf, text, texts, truth } from "./json.js";
import type { Open, ResponseInfo } from "./result.js";

${constants(result)}
${nested.map((type) => declared(type)).join("\n")}
${union(result, response)}
${nested.map(reader).join("\n")}
/** The result in the service's JSON, or null. */
export ${reader(result)}`;
  return { "src/lookup-result.ts": text };
}
