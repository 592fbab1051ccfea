import { describedFor, GENERATED, wrap } from "./docs.ts";
import { nestedTypes, pascalCase, requiredFields } from "./fields.ts";
import type { Field, ObjectType } from "./fields.ts";

/** Go writes these in capitals. */
const INITIALISM = /^(sms|rfc\d+)$/;

function exported(name: string): string {
  const words = name.split("_").map((word) => (INITIALISM.test(word) ? word.toUpperCase() : pascalCase(word)));
  return words.join("");
}

/** The SDK's name for it. */
function typeName({ name }: ObjectType): string {
  return name === "LookupResult" ? "Result" : name;
}

function typeOf({ type, isNullable }: Field): string {
  if (typeof type === "object") return isNullable ? `*${type.name}` : type.name;
  return { text: "string", boolean: isNullable ? "*bool" : "bool", texts: "[]string" }[type];
}

function comment(text: string, indent: string): string {
  return wrap(text, 76)
    .map((line) => `${indent}// ${line}\n`)
    .join("");
}

function member(field: Field): string {
  const words = { value: (text: string) => `"${text}"`, null: field.type === "text" ? '""' : "nil" };
  const tag = `json:"${field.name}${field.isNullable ? ",omitempty" : ""}"`;
  return `${comment(describedFor(words, field), "\t")}\t${exported(field.name)} ${typeOf(field)} \`${tag}\`\n`;
}

function declared(type: ObjectType, about: string, response = ""): string {
  const name = typeName(type);
  return `${comment(`${name} is ${about}`, "")}type ${name} struct {\n${type.fields.map(member).join("")}${response}}\n`;
}

function readField({ name, type, fallback }: Field): string {
  if (typeof type === "object") return `read${type.name}(nested(fields, "${name}"))`;
  if (type === "texts") return `texts(fields, "${name}")`;
  if (type === "text")
    return fallback === null ? `text(fields, "${name}")` : `textOr(fields, "${name}", "${fallback}")`;
  return fallback === null ? `boolean(fields, "${name}")` : `booleanOr(fields, "${name}", ${fallback})`;
}

function reader(type: ObjectType, response = ""): string {
  const required = requiredFields(type);
  const locals = required.map(({ name, type: kind }) => {
    return `\t${name}, has${exported(name)} := field[${kind === "text" ? "string" : "bool"}](fields, "${name}")\n`;
  });
  const missing = required.map(({ name }) => `!has${exported(name)}`).join(" || ");
  const values = type.fields.map((field) => [exported(field.name), field.isRequired ? field.name : readField(field)]);
  if (response) values.push(["Response", "response"]);
  // As gofmt aligns them.
  const width = Math.max(...values.map(([name]) => name!.length + 1));
  const lines = values.map(([name, value]) => `\t\t${`${name}:`.padEnd(width)} ${value},\n`);
  return `func read${typeName(type)}(fields object${response}) ${missing && "*"}${typeName(type)} {
${locals.join("")}${missing && `\tif ${missing} {\n\t\treturn nil\n\t}\n`}\treturn ${missing && "&"}${typeName(type)}{
${lines.join("")}\t}\n}\n`;
}

export function go(result: ObjectType): Record<string, string> {
  const nested = nestedTypes(result);
  const about =
    'the full result for one number. An invalid number is a result, not an error. Values that are null in the API are "" or nil; the API returns no empty strings. Values that this version doesn\'t recognize are passed through.';
  const response = `\t// The metadata of the response that contained the result.\n\tResponse ResponseInfo \`json:"-"\`\n`;
  const text = `// ${GENERATED}

package checkline

${declared(result, about, response)}
${nested.map((type) => declared(type, `part of a [Result]. ${type.description}`)).join("\n")}
// readResult returns nil if the fields are not those of a result.
${reader(result, ", response ResponseInfo")}
${nested.map((type) => reader(type)).join("\n")}`;
  return { "lookup_result.go": text };
}
