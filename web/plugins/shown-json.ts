/** JSON as our pages show it: a line for each of the outermost values, with those inside on the same line. */
export function shownJson(value: object): string {
  const lines = Object.entries(value).map(([name, inner]) => `  ${JSON.stringify(name)}: ${onOneLine(inner)}`);
  return `{\n${lines.join(",\n")}\n}`;
}

function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/\n */g, " ")
    .replaceAll(/(?<=\[) | (?=\])/g, "");
}
