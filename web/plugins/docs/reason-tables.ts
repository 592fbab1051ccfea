import { FLAGS, hintOf, REASONS, REJECTIONS, SUGGESTIONS } from "../../../contract/reasons.ts";
import type { Example, Flag, Meaning, Reason, Rejection, Suggestion } from "../../../contract/reasons.ts";

/** A code with a link to the section that says more. */
function linked([code, { docs }]: readonly [string, Meaning]): string {
  return docs === undefined ? `\`${code}\`` : `[\`${code}\`](${docs})`;
}

function exampleText([number, country]: Example): string {
  return country === undefined ? `\`${number}\`` : `\`${number}\` in \`${country}\``;
}

/** A reason's hint. @throws Error for an unknown one */
export function reasonHint(code: string): string {
  if (!Object.hasOwn(REASONS, code)) throw new Error(`There is no reason ${code}.`);
  return hintOf(REASONS, code);
}

/** The rows of each table, the head first. */
const TABLES: Readonly<Record<string, () => (readonly string[])[]>> = {
  reasons: () => [
    ["`reason`", "What it means and what to do", "For example"],
    ...Object.entries<Reason>(REASONS).map((row) => {
      const { message, fix, example } = row[1];
      return [linked(row), `${message} ${fix}`, exampleText(example)];
    }),
  ],
  suggestions: () => [
    ["`reason`", "What was sent, and what the suggestion is", "For example"],
    ...Object.entries<Suggestion>(SUGGESTIONS).map((row) => [linked(row), row[1].message, exampleText(row[1].example)]),
  ],
  rejections: () => [
    ["`rejected_because`", "What it means"],
    ...Object.entries<Rejection>(REJECTIONS).map((row) => [linked(row), row[1].message]),
  ],
  flags: () => [
    ["Flag", "What it means", "Source"],
    ...Object.entries<Flag>(FLAGS).map((row) => [linked(row), row[1].message, row[1].source]),
  ],
};

/** What a result's codes mean, as a table in Markdown: `reasons`, `suggestions`, `rejections`, or `flags`. */
export function reasonTable(of: string): string {
  const rows = TABLES[of]?.();
  if (rows === undefined)
    throw new Error(`<ReasonTable of="…"> is one of ${Object.keys(TABLES).join(", ")}, not ${of}.`);
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [lines[0], `|${" --- |".repeat(rows[0]!.length)}`, ...lines.slice(1)].join("\n");
}
