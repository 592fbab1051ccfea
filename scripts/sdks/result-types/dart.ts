import { describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import { camelCase, nestedTypes, requiredFields, valueLists } from "./fields.ts";
import type { Field, ObjectType } from "./fields.ts";

const WORDS = { value: (text: string) => `\`${text}\``, null: "null" };

function typeOf({ type, isNullable }: Field): string {
  const name = typeof type === "object" ? type.name : { text: "String", boolean: "bool", texts: "List<String>" }[type];
  return isNullable ? `${name}?` : name;
}

function comment(text: string, indent = ""): string {
  return wrap(text, 76 - indent.length)
    .map((line) => `${indent}/// ${line}\n`)
    .join("");
}

/** Whether another field substitutes for it if the constructor doesn't get it. */
function hasSubstitute({ type, fallback }: Field): boolean {
  return type === "boolean" && fallback !== null;
}

/** Fields have defaults, so that a program's tests can create results. */
function parameter(field: Field): string {
  const { type, fallback } = field;
  const name = camelCase(field.name);
  if (field.isRequired) return `    required this.${name},\n`;
  if (field.isNullable) return `    this.${name},\n`;
  if (hasSubstitute(field)) return `    bool? ${name},\n`;
  const otherwise = typeof type === "object" ? `const ${type.name}()` : type === "texts" ? "const []" : `'${fallback}'`;
  return `    this.${name} = ${otherwise},\n`;
}

function declared(type: ObjectType, about: string, response = { implements: "", parameter: "", member: "" }): string {
  const substitutes = type.fields.filter(hasSubstitute).map(({ name, fallback }) => {
    return ` : ${camelCase(name)} = ${camelCase(name)} ?? ${fallback}`;
  });
  const members = type.fields.map((field) => {
    return `${comment(describedFor(WORDS, field), "  ")}  final ${typeOf(field)} ${camelCase(field.name)};\n`;
  });
  const entries = type.fields.map(({ name, type: kind, isNullable }) => {
    const value = typeof kind === "object" ? `${isNullable ? "?" : ""}.toJson()` : "";
    return `        '${name}': ${camelCase(name)}${value},\n`;
  });
  return `${comment(about)}final class ${type.name}${response.implements} {
  /// Creates one, for tests.
  const ${type.name}({
${type.fields.map(parameter).join("")}${response.parameter}  })${substitutes.join("")};

${members.join("\n")}${response.member}
  /// The fields with the API's names.
  Map<String, Object?> toJson() => {
${entries.join("")}      };

  @override
  String toString() => '${type.name}\${toJson()}';
}
`;
}

function readField({ name, type, fallback }: Field): string {
  if (typeof type === "object") return `_${camelCase(type.key)}(json['${name}'])`;
  if (type === "texts") return `textsIn(json, '${name}')`;
  if (type === "text") return `textIn(json, '${name}')${fallback === null ? "" : ` ?? '${fallback}'`}`;
  return `boolIn(json, '${name}')`;
}

function body(type: ObjectType, response = ""): string {
  const locals = requiredFields(type).map((field) => `  final ${camelCase(field.name)} = ${readField(field)};\n`);
  const missing = requiredFields(type)
    .map(({ name }) => `${camelCase(name)} == null`)
    .join(" || ");
  const values = type.fields.map((field) => {
    const name = camelCase(field.name);
    return `    ${name}: ${field.isRequired ? name : readField(field)},\n`;
  });
  return `  final json = objectIn(value) ?? const {};
${locals.join("")}${missing && `  if (${missing}) return null;\n`}  return ${type.name}(
${values.join("")}${response}  );
`;
}

function reader(type: ObjectType): string {
  const returned = `${type.name}${requiredFields(type).length === 0 ? "" : "?"}`;
  return `${returned} _${camelCase(type.key)}(Object? value) {\n${body(type)}}\n`;
}

/** Classes of constants. */
function constants(result: ObjectType): string {
  const lists = valueLists(result).map((list) => {
    const members = list.values.map((value) => {
      return `  /// \`${value}\`.\n  static const ${camelCase(value.toLowerCase())} = '${value}';\n`;
    });
    const about = comment(describedList(list, camelCase));
    return `${about}abstract final class ${list.name} {\n${members.join("\n")}}\n`;
  });
  return `// ${GENERATED}\n\n${lists.join("\n")}`;
}

export function dart(result: ObjectType): Record<string, string> {
  const nested = nestedTypes(result);
  const about = `${result.description} Unknown fields are null. Enum values are plain strings, since later versions may add some.`;
  const response = {
    implements: " implements BatchItem",
    parameter: "    this.response = const ResponseInfo(),\n",
    member: "\n  /// The response that contained the result.\n  final ResponseInfo response;\n",
  };
  const types = `// ${GENERATED}
part of 'outcomes.dart';

${declared(result, about, response)}
${nested.map((type) => declared(type, type.description)).join("\n")}`;
  const readers = `// ${GENERATED}
import 'fields.dart';
import 'outcomes.dart';

/// The result in the service's JSON, or null.
LookupResult? readResult(Object? value, ResponseInfo response) {
${body(result, "    response: response,\n")}}

${nested.map(reader).join("\n")}`;
  return {
    "lib/src/lookup_result.dart": types,
    "lib/src/result_reader.dart": readers,
    "lib/src/values.dart": constants(result),
  };
}
