import { describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import { nestedTypes, pascalCase, requiredFields, valueLists } from "./fields.ts";
import type { Field, ObjectType } from "./fields.ts";

/** Go writes these in capitals. */
const INITIALISM = /^(sms|voip|uan|rfc\d+)$/;

function exported(name: string): string {
  const words = name.split("_").map((word) => (INITIALISM.test(word) ? word.toUpperCase() : pascalCase(word)));
  return words.join("");
}

/** The SDK's name for it. */
function typeName({ name }: ObjectType): string {
  return name === "LookupResult" ? "Result" : name;
}

function typeOf({ type, isNullable, valuesName }: Field): string {
  if (typeof type === "object") return isNullable ? `*${type.name}` : type.name;
  const text = valuesName ?? "string";
  return { text, boolean: isNullable ? "*bool" : "bool", texts: `[]${text}` }[type];
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

function readField({ name, type, fallback, valuesName }: Field): string {
  if (typeof type === "object") return `read${type.name}(nested(fields, "${name}"))`;
  const kind = valuesName ?? "string";
  if (type === "texts") return `texts[${kind}](fields, "${name}")`;
  if (type === "text") {
    return fallback === null ? `text[${kind}](fields, "${name}")` : `textOr[${kind}](fields, "${name}", "${fallback}")`;
  }
  return fallback === null ? `boolean(fields, "${name}")` : `booleanOr(fields, "${name}", ${fallback})`;
}

function reader(type: ObjectType, response = ""): string {
  const required = requiredFields(type);
  const locals = required.map(({ name, type: kind, valuesName }) => {
    const read = kind === "text" ? (valuesName ?? "string") : "bool";
    return `\t${name}, has${exported(name)} := field[${read}](fields, "${name}")\n`;
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

/** Types of texts, with constants. */
function constants(result: ObjectType): string {
  const lists = valueLists(result).map((list) => {
    const about = describedList(list, exported).replace(/^The known values/, `${list.name} has the known values`);
    const names = list.values.map((value) => `${list.name}${exported(value.toLowerCase())}`);
    const width = Math.max(...names.map(({ length }) => length));
    const members = names.map((name, at) => `\t${name.padEnd(width)} ${list.name} = "${list.values[at]}"\n`);
    return `${comment(about, "")}type ${list.name} string\n\n// The values of [${list.name}].\nconst (\n${members.join("")})\n`;
  });
  return `// ${GENERATED}\n\npackage checkline\n\n${lists.join("\n")}`;
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
  return { "lookup_result.go": text, "values.go": constants(result) };
}
