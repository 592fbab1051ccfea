import { describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import { camelCase, nestedTypes, requiredFields, valueLists } from "./fields.ts";
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
    type.key === "lookup_result" ? ["readResult", `Omit<${type.name}, "response">`] : [`read${type.name}`, type.name];
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
${declared(result, response)}
${nested.map(reader).join("\n")}
/** The result in the service's JSON, or null. */
export ${reader(result)}`;
  return { "src/lookup-result.ts": text };
}
