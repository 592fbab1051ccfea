import { asPhrase, describedFor, describedList, GENERATED, wrap } from "./docs.ts";
import { nestedTypes, requiredFields, valueLists } from "./fields.ts";
import type { Field, ObjectType } from "./fields.ts";

const WORDS = { value: (text: string) => `"${text}"`, null: "nil" };

/** The SDK's name for it. */
function className({ name }: ObjectType): string {
  return name === "LookupResult" ? "Result" : name;
}

function namesOf({ fields }: ObjectType, isOf: (type: Field["type"]) => boolean): string[] {
  return fields.filter(({ type }) => isOf(type)).map(({ name }) => name);
}

function describedField(field: Field): string {
  const lines = wrap(`+${field.name}+:: ${asPhrase(describedFor(WORDS, field))}`, 112);
  return lines.map((line, index) => `  # ${index === 0 ? "" : "  "}${line}\n`).join("");
}

const FREEZE = `    def initialize(**)
      super
      freeze
    end
`;

const WITH_RESPONSE = `    # @return [ResponseInfo] the response that contained the result. Not a member: comparisons ignore it
    attr_reader :response

    def initialize(response: nil, **fields)
      @response = response
      super(**fields)
      freeze
    end
`;

function declared(type: ObjectType, initialize: string): string {
  const members = wrap(type.fields.map(({ name }) => `:${name},`).join(" "), 112).map((line) => `    ${line}\n`);
  const questions = namesOf(type, (kind) => kind === "boolean").map((name) => `    alias_method :${name}?, :${name}\n`);
  const nested = namesOf(type, (kind) => typeof kind === "object").map((name) => `${name}: ${name}&.to_h`);
  const toHash = `
    # @return [Hash{Symbol => Object}] all fields, with nested fields as Hashes too
    def to_h
      super.merge(${nested.join(", ")})
    end
`;
  return `  # ${type.description} Frozen.
  #
${type.fields.map(describedField).join("")}  ${className(type)} = Struct.new(
${members.join("")}    keyword_init: true
  ) do
    include AsJSON

${questions.join("")}${questions.length === 0 ? "" : "\n"}${initialize}${nested.length === 0 ? "" : toHash}  end
`;
}

function readField({ name, type, fallback }: Field): string {
  const value = `fields["${name}"]`;
  if (typeof type === "object") return `read_${type.key}(${value})`;
  if (type === "texts") return `texts(${value})`;
  if (type === "text") return `text(${value})${fallback === null ? "" : ` || "${fallback}"`}`;
  return `boolean(${value}${fallback === null ? "" : `, ${fallback}`})`;
}

function body(type: ObjectType, response = ""): string {
  const locals = requiredFields(type).map((field) => `      ${field.name} = ${readField(field)}\n`);
  const missing = requiredFields(type)
    .map(({ name }) => `${name}.nil?`)
    .join(" || ");
  const values = type.fields.map(
    (field) => `        ${field.name}: ${field.isRequired ? field.name : readField(field)}`,
  );
  return `${locals.join("")}${missing && `      return if ${missing}\n\n`}      ${className(type)}.new(
${values.join(",\n")}${response}
      )
    end
`;
}

function reader(type: ObjectType): string {
  return `    def read_${type.key}(value)\n      fields = value.is_a?(Hash) ? value : {}\n${body(type)}`;
}

function signatureType({ type, isNullable }: Field): string {
  const name = typeof type === "object" ? type.name : { text: "String", boolean: "bool", texts: "Array[String]" }[type];
  return isNullable ? `${name}?` : name;
}

function signatures(type: ObjectType, response: string): string {
  const readers = type.fields.map((field) => `    attr_reader ${field.name}: ${signatureType(field)}\n`);
  const parameters = type.fields.map((field) => `      ?${field.name}: ${signatureType(field)}`);
  const questions = type.fields
    .filter((field) => field.type === "boolean")
    .map((field) => `    def ${field.name}?: () -> ${signatureType(field)}\n`);
  const nested = namesOf(type, (kind) => typeof kind === "object");
  return `  class ${className(type)} < Struct[untyped]
    include AsJSON
${readers.join("")}${response && `    attr_reader response: ${response}\n`}
    def initialize: (
${response && `      ?response: ${response}?,\n`}${parameters.join(",\n")}
    ) -> void
${questions.join("")}${nested.length === 0 ? "" : "    def to_h: () -> Hash[Symbol, untyped]\n"}  end
`;
}

/** Modules of constants, and their signatures. */
function constants(result: ObjectType): Record<string, string> {
  const lists = valueLists(result);
  const modules = lists.map((list) => {
    const members = list.values.map((value) => `    ${value.toUpperCase()} = "${value}"\n`);
    return `  # ${describedList(list, String)}\n  module ${list.name}\n${members.join("")}  end\n`;
  });
  const types = lists.map(({ name, values }) => {
    const members = values.map((value) => `    ${value.toUpperCase()}: String\n`);
    return `  module ${name}\n${members.join("")}  end\n`;
  });
  return {
    "lib/checkline/values.rb": `# frozen_string_literal: true

# ${GENERATED}
module Checkline
${modules.join("\n")}end
`,
    "sig/values.rbs": `# ${GENERATED}\nmodule Checkline\n${types.join("\n")}end\n`,
  };
}

export function ruby(result: ObjectType): Record<string, string> {
  const nested = nestedTypes(result);
  const text = `# frozen_string_literal: true

# ${GENERATED}
module Checkline
${nested.map((type) => declared(type, FREEZE)).join("\n")}
${declared(result, WITH_RESPONSE)}
  # Reads results from the service's JSON.
  module ResultReader
    private

    # Nil if there is none.
    def read_result(fields, response)
${body(result, ",\n        response: response")}
${nested.map(reader).join("\n")}  end
  private_constant :ResultReader
end
`;
  const types = `# ${GENERATED}
module Checkline
${[...nested.map((type) => signatures(type, "")), signatures(result, "ResponseInfo")].join("\n")}end
`;
  return { "lib/checkline/lookup_result.rb": text, "sig/lookup_result.rbs": types, ...constants(result) };
}
