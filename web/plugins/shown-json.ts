/** The longest line beside a request on a laptop. */
const LINE = 52;

/** JSON as our pages show it: what fits in a line stays in one, and longer objects and lists take a line a value. */
export function shownJson(value: object): string {
  return broken(value, "");
}

/** @param indent of the line that the value starts on */
function broken(value: object, indent: string): string {
  const inside = `${indent}  `;
  const lines = Object.entries(value).map(([key, inner]: [string, unknown]) => {
    const name = Array.isArray(value) ? "" : `${JSON.stringify(key)}: `;
    const line = onOneLine(inner);
    const isLong = inside.length + name.length + line.length + 1 > LINE;
    return `${inside}${name}${isLong && isObject(inner) ? broken(inner, inside) : line}`;
  });
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${lines.join(",\n")}\n${indent}${close}`;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** JSON on one line, with a space after each colon and comma. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n */g, " ")
    .replaceAll(/(?<=\[) | (?=\])/g, "");
}
