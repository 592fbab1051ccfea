import { describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import { nestedTypes, requiredFields, valueLists } from "./fields.ts";
import type { Field, ObjectType } from "./fields.ts";

const WORDS = { value: (text: string) => `\`\`${text}\`\``, null: "None" };

function typeOf({ type, isNullable }: Field): string {
  const name = typeof type === "object" ? type.name : { text: "str", boolean: "bool", texts: "Tuple[str, ...]" }[type];
  return isNullable ? `Optional[${name}]` : name;
}

/** Fields have defaults, so that a program's tests can create results. */
function defaultOf({ type, isNullable, fallback }: Field): string {
  if (isNullable) return "None";
  return typeof type === "object" ? `${type.name}()` : { text: `"${fallback}"`, boolean: "False", texts: "()" }[type];
}

function declared({ name, description, fields }: ObjectType, response = ""): string {
  const members = fields.map((field) => {
    const otherwise = field.isRequired ? "" : ` = ${defaultOf(field)}`;
    const about = wrap(describedFor(WORDS, field), 110).join("\n    ");
    return `    ${field.name}: ${typeOf(field)}${otherwise}\n    """${about}"""\n`;
  });
  return `@dataclass(frozen=True)\nclass ${name}:\n    """${description}"""\n\n${members.join("")}${response}`;
}

function readField({ name, type, fallback }: Field): string {
  if (typeof type === "object") return `_read_${type.key}(fields.get("${name}"))`;
  if (type === "texts") return `texts(fields, "${name}")`;
  if (type === "text") return `text(fields, "${name}")${fallback === null ? "" : ` or "${fallback}"`}`;
  return `flag(fields, "${name}"${fallback === null ? "" : `, ${fallback}`})`;
}

function body(type: ObjectType, response = ""): string {
  const locals = requiredFields(type).map((field) => `    ${field.name} = ${readField(field)}\n`);
  const missing = requiredFields(type)
    .map(({ name }) => `${name} is None`)
    .join(" or ");
  const values = type.fields.map(
    (field) => `        ${field.name}=${field.isRequired ? field.name : readField(field)},\n`,
  );
  return `    fields = data if isinstance(data, dict) else {}
${locals.join("")}${missing && `    if ${missing}:\n        return None\n`}    return ${type.name}(
${values.join("")}${response}    )\n`;
}

function reader(type: ObjectType): string {
  const returned = requiredFields(type).length === 0 ? type.name : `Optional[${type.name}]`;
  return `def _read_${type.key}(data: object) -> ${returned}:\n${body(type)}`;
}

/** Classes of constants. */
function constants(result: ObjectType): string {
  const lists = valueLists(result).map((list) => {
    const about = wrap(describedList(list, String), 110).join("\n    ");
    const members = list.values.map((value) => `    ${value.toUpperCase()}: Final = "${value}"\n`);
    return `\n\nclass ${list.name}:\n    """${about}"""\n\n${members.join("")}`;
  });
  return `# ${GENERATED}
"""The known values of a result's fields, as constants."""

from __future__ import annotations

from typing import Final
${lists.join("")}`;
}

export function python(result: ObjectType): Record<string, string> {
  const nested = nestedTypes(result);
  const response = `    response: ResponseInfo = field(default=ResponseInfo(200, None, None, 1, 0.0, {}), compare=False, repr=False)
    """The response that contained the result."""

    def __bool__(self) -> bool:
        """\`\`valid\`\`: \`\`if client.lookup(number)\`\` accepts no invalid number."""
        return self.valid\n`;
  const text = `# ${GENERATED}
"""The result of a lookup. Enum values are plain strings: the service may add new ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional, Tuple

from ._fields import flag, text, texts
from .results import ResponseInfo


${[...nested.map((type) => declared(type)), declared(result, response), ...nested.map(reader)].join("\n\n")}

def read_result(data: object, response: ResponseInfo) -> Optional[LookupResult]:
    """The result in the JSON, or None."""
${body(result, "        response=response,\n")}`;
  return { "src/checkline/lookup_result.py": text, "src/checkline/values.py": constants(result) };
}
