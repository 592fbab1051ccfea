import { asPhrase, describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import { camelCase, nestedTypes, requiredFields, valueLists } from "./fields.ts";
import type { Field, ObjectType, ValueList } from "./fields.ts";

const FOLDER = "src/main/java/example/checkline";
const WORDS = { value: (text: string) => `{@code ${text}}`, null: "null" };

function typeOf({ type, isNullable }: Field): string {
  if (typeof type === "object") return type.name;
  return { text: "String", boolean: isNullable ? "Boolean" : "boolean", texts: "List<String>" }[type];
}

function comment(text: string, indent = ""): string {
  return wrap(text, 114)
    .map((line, index) => ` * ${index === 0 ? "" : indent}${line}\n`)
    .join("");
}

function record(type: ObjectType, about: string, response = { doc: "", component: "", implements: "" }): string {
  const docs = type.fields.map((field) =>
    comment(`@param ${camelCase(field.name)} ${asPhrase(describedFor(WORDS, field))}`, "    "),
  );
  const components = type.fields.map((field) => `    ${typeOf(field)} ${camelCase(field.name)}`);
  const imports = type.fields.some((field) => field.type === "texts") ? "import java.util.List;\n\n" : "";
  return `// ${GENERATED}
package example.checkline;

${imports}/**
${comment(about)} *
${docs.join("")}${response.doc} */
public record ${type.name}(
${components.join(",\n")}${response.component})${response.implements} {}
`;
}

function readField({ name, type, fallback }: Field): string {
  if (typeof type === "object") return `${camelCase(type.key)}(json.get("${name}"))`;
  if (type === "texts") return `Fields.texts(json, "${name}")`;
  if (type === "text") return `Fields.text(json, "${name}"${fallback === null ? "" : `, "${fallback}"`})`;
  return `Fields.bool(json, "${name}"${fallback === null ? "" : `, ${fallback}`})`;
}

function body(type: ObjectType, response = ""): string {
  const locals = requiredFields(type).map((field) => {
    return `    ${typeOf({ ...field, isNullable: true })} ${camelCase(field.name)} = ${readField(field)};\n`;
  });
  const missing = requiredFields(type)
    .map(({ name }) => `${camelCase(name)} == null`)
    .join(" || ");
  const values = type.fields.map((field) => `        ${field.isRequired ? camelCase(field.name) : readField(field)}`);
  return `    Map<?, ?> json = Fields.object(value);
${locals.join("")}${missing && `    if (${missing}) return null;\n`}    return new ${type.name}(
${values.join(",\n")}${response});
`;
}

function reader(type: ObjectType): string {
  return `  private static ${type.name} ${camelCase(type.key)}(Object value) {\n${body(type)}  }\n`;
}

/** A class of constants. */
function constants(list: ValueList): string {
  const members = list.values.map((value) => {
    return `  /** {@code ${value}}. */\n  public static final String ${value.toUpperCase()} = "${value}";\n`;
  });
  return `// ${GENERATED}
package example.checkline;

/** ${describedList(list, camelCase)} */
public final class ${list.name} {
${members.join("\n")}
  private ${list.name}() {}
}
`;
}

export function java(result: ObjectType): Record<string, string> {
  const nested = nestedTypes(result);
  const about = `${result.description} Unknown fields are null. Enum values are plain strings, since later versions may add some.`;
  const response = {
    doc: " * @param response the response that contained the result\n",
    component: ",\n    ResponseInfo response",
    implements: "\n    implements BatchItem",
  };
  const results = `// ${GENERATED}
package example.checkline;

import java.util.Map;

/** Reads results from the service's JSON. */
final class Results {
  private Results() {}

  /** Null if there is none. */
  static LookupResult read(Object value, ResponseInfo response) {
${body(result, ",\n        response")}  }

${nested.map(reader).join("\n")}}
`;
  return {
    ...Object.fromEntries(nested.map((type) => [`${FOLDER}/${type.name}.java`, record(type, type.description)])),
    ...Object.fromEntries(valueLists(result).map((list) => [`${FOLDER}/${list.name}.java`, constants(list)])),
    [`${FOLDER}/LookupResult.java`]: record(result, about, response),
    [`${FOLDER}/Results.java`]: results,
  };
}
