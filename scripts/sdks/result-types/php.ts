import { asPhrase, describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import { camelCase, nestedTypes, requiredFields, valueLists } from "./fields.ts";
import type { Field, ObjectType, ValueList } from "./fields.ts";

const WORDS = { value: (text: string) => text, null: "null" };

function typeOf({ type, isNullable }: Field): string {
  const name = typeof type === "object" ? type.name : { text: "string", boolean: "bool", texts: "array" }[type];
  return isNullable ? `?${name}` : name;
}

/** Fields have defaults, so that a program's tests can create results. */
function defaultOf({ type, isNullable, fallback }: Field): string {
  if (isNullable) return "null";
  if (typeof type === "object") return `new ${type.name}()`;
  return { text: `'${fallback}'`, boolean: "false", texts: "[]" }[type];
}

function parameterDoc(field: Field): string {
  const type = field.type === "texts" ? "list<string>" : typeOf(field).replace(/^\?(.*)/, "$1|null");
  const text = `@param ${type} $${camelCase(field.name)} ${asPhrase(describedFor(WORDS, field))}`;
  return wrap(text, 113)
    .map((line) => `     * ${line}\n`)
    .join("");
}

const RESPONSE = {
  doc: "     * @param ResponseInfo $response the response that contained the result\n",
  parameter: "        public readonly ResponseInfo $response = new ResponseInfo(200, null, null, 1, 0.0, []),\n",
};

function declared({ name, description, fields }: ObjectType, response = { doc: "", parameter: "" }): string {
  const parameters = fields.map((field) => {
    const otherwise = field.isRequired ? "" : ` = ${defaultOf(field)}`;
    return `        public readonly ${typeOf(field)} $${camelCase(field.name)}${otherwise},\n`;
  });
  return `<?php

// ${GENERATED}

declare(strict_types=1);

namespace Checkline;

/** ${description} */
final class ${name}
{
    /**
${fields.map(parameterDoc).join("")}${response.doc}     */
    public function __construct(
${parameters.join("")}${response.parameter}    ) {
    }
}
`;
}

function readField({ name, type, fallback }: Field): string {
  if (typeof type === "object") return `self::${camelCase(type.key)}($data->${name} ?? null)`;
  if (type === "texts") return `Fields::texts($data, '${name}')`;
  if (type === "text") return `Fields::text($data, '${name}')${fallback === null ? "" : ` ?? '${fallback}'`}`;
  return `Fields::flag($data, '${name}')${fallback === null ? "" : ` ?? $${fallback}`}`;
}

function body(type: ObjectType, response = ""): string {
  const locals = requiredFields(type).map((field) => `        $${camelCase(field.name)} = ${readField(field)};\n`);
  const missing = requiredFields(type)
    .map(({ name }) => `$${camelCase(name)} === null`)
    .join(" || ");
  const values = type.fields.map((field) => {
    const name = camelCase(field.name);
    return `            ${name}: ${field.isRequired ? `$${name}` : readField(field)},\n`;
  });
  const check = missing && `        if (${missing}) {\n            return null;\n        }\n`;
  return `        $data = Fields::object($value);
${locals.join("")}${check}        return new ${type.name}(\n${values.join("")}${response}        );\n`;
}

function reader(type: ObjectType): string {
  const returned = `${requiredFields(type).length === 0 ? "" : "?"}${type.name}`;
  return `    private static function ${camelCase(type.key)}(mixed $value): ${returned}\n    {\n${body(type)}    }\n`;
}

/** A class of constants. */
function constants(list: ValueList): string {
  const members = list.values.map((value) => `    public const ${value.toUpperCase()} = '${value}';\n`);
  return `<?php

// ${GENERATED}

declare(strict_types=1);

namespace Checkline;

/** ${describedList(list, camelCase)} */
final class ${list.name}
{
${members.join("")}}
`;
}

export function php(result: ObjectType): Record<string, string> {
  const nested = nestedTypes(result);
  const used = [...nested.map(({ name }) => name), result.name, "ResponseInfo"].toSorted();
  const results = `<?php

// ${GENERATED}

declare(strict_types=1);

namespace Checkline\\Internal;

${used.map((name) => `use Checkline\\${name};\n`).join("")}
/**
 * Reads results from the service's JSON.
 *
 * @internal
 */
final class Results
{
    /** Null if there is none. */
    public static function read(mixed $value, ResponseInfo $response): ?LookupResult
    {
${body(result, "            response: $response,\n")}    }

${nested.map(reader).join("\n")}}
`;
  return {
    ...Object.fromEntries(nested.map((type) => [`src/${type.name}.php`, declared(type)])),
    ...Object.fromEntries(valueLists(result).map((list) => [`src/${list.name}.php`, constants(list)])),
    "src/LookupResult.php": declared(result, RESPONSE),
    "src/Internal/Results.php": results,
  };
}
