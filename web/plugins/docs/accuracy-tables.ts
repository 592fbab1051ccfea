import { countryName } from "../../../contract/country-names.ts";
import { formatCount, formatUtcDay } from "../../../contract/format.ts";
import type { AccuracyResult, Difference, ForeignRow } from "../../content/accuracy.ts";
import result from "../../content/accuracy.json" with { type: "json" };

const { date, contenders, foreign, ownRight, disputed, differences, registers, cases }: AccuracyResult = result;
const NAMES = contenders.map(({ name }) => name);

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

function sumOf(field: "rows" | "own" | "disputed" | "compared" | "none"): number {
  return sum(foreign.map((row) => row[field]));
}

/** Each contender's sum over rows. */
function rightIn(rows: readonly { readonly right: readonly number[] }[]): number[] {
  return NAMES.map((_, at) => sum(rows.map(({ right }) => right[at]!)));
}

/** "1,692 (84.7%)" */
function share(count: number, of: number): string {
  return `${formatCount(count)} (${((100 * count) / of).toFixed(1)}%)`;
}

const shares = (counts: readonly number[], of: number) => counts.map((count) => share(count, of));

function inputText(input: string, hint: string | null): string {
  return `\`${input}\`${hint === null ? "" : ` in \`${hint}\``}`;
}

function foreignCells({ project, file, compared, right, none }: ForeignRow): string[] {
  return [`[${project}](${file})`, formatCount(compared), ...shares(right, compared), formatCount(none)];
}

/** A row per number: a test may have it in several spellings, to which the answers are the same. */
function differencesOf(isRight: boolean): readonly string[][] {
  const those = differences.filter(({ right }) => right[0] === isRight);
  const groups = Map.groupBy(those, ({ project, expected, answers }) => JSON.stringify([project, expected, answers]));
  const rows = [...groups.values()].map((group) => {
    const { project, input, hint, expected, answers, right } = group[0] as Difference;
    const spellings = group.length > 1 ? `, in ${group.length} spellings` : "";
    const told = answers.map((answer, at) => (right[at]! ? `**${answer}**` : answer));
    return [`${inputText(input, hint)}${spellings}`, `${expected} (${project})`, ...told];
  });
  return [["Input", "The test expects", ...NAMES], ...rows];
}

/** The rows of each table, the head first. */
const TABLES: Readonly<Record<string, () => readonly string[][]>> = {
  contenders: () => [
    ["", "Release", "Of", "What we call"],
    ...contenders.map(({ name, release, released, call }) => [name, release, formatUtcDay(released), `\`${call}\``]),
  ],
  foreign: () => [
    ["Tests of", "Compared", ...NAMES, "None agrees"],
    ...foreign.map(foreignCells),
    [
      "**All**",
      formatCount(sumOf("compared")),
      ...shares(rightIn(foreign), sumOf("compared")),
      formatCount(sumOf("none")),
    ],
  ],
  sources: () => [
    ["Tests of", "License", "Rows", "Like ours", "Disputed", "Compared"],
    ...foreign.map(({ project, license, rows, own, disputed: apart, compared }) => [
      project,
      license,
      ...[rows, own, apart, compared].map((count) => formatCount(count)),
    ]),
  ],
  disputed: () => [
    ["Why nobody is held to it", "Rows", "Each would agree in", "The first"],
    ...disputed.map(({ reason, project, rows, right, input, hint }) => [
      reason,
      formatCount(rows),
      right.join(", "),
      `${inputText(input, hint)} (${project})`,
    ]),
  ],
  lost: () => differencesOf(false),
  won: () => differencesOf(true),
  assigned: () => [
    ["Register", "Sample", ...NAMES],
    ...registers.map(({ country, as_of, assigned }) => [
      `${countryName(country)}, ${formatUtcDay(as_of)}`,
      ...[assigned.sample, ...assigned.valid].map((count) => formatCount(count)),
    ]),
  ],
  free: () => [
    ["Register", "Sample", ...NAMES, "Checkline says unassigned"],
    ...registers.map(({ country, as_of, free }) => [
      `${countryName(country)}, ${formatUtcDay(as_of)}`,
      ...[free.sample, ...free.valid, free.named].map((count) => formatCount(count)),
    ]),
  ],
  cases: () => [
    ["Our cases", "Rows", ...NAMES],
    ...cases.map(({ valid, rows, right }) => [
      valid ? "A number: which one?" : "No number, or several: is it refused?",
      formatCount(rows),
      ...right.map((count) => formatCount(count)),
    ]),
  ],
};

/** What was measured, as a table in Markdown. @throws Error for an unknown table */
export function accuracyTable(of: string): string {
  const rows = TABLES[of]?.();
  if (rows === undefined) {
    throw new Error(`<AccuracyTable of="…"> is one of ${Object.keys(TABLES).join(", ")}, not ${of}.`);
  }
  const lines = rows.map((cells) => `| ${cells.join(" | ")} |`);
  return [lines[0], `|${" --- |".repeat(rows[0]!.length)}`, ...lines.slice(1)].join("\n");
}

/** "87.0%": how often each contender agrees with the tests of others, in their order. */
export const AGREEMENT = rightIn(foreign).map((count) => `${((100 * count) / sumOf("compared")).toFixed(1)}%`);

/** Figures that texts cite. */
export const ACCURACY = {
  DATE: formatUtcDay(date),
  COMPARED: sumOf("compared"),
  NONE: sumOf("none"),
  DISPUTED: sumOf("disputed"),
  OWN: sumOf("own"),
  OWN_RIGHT: new Intl.ListFormat("en-US").format(ownRight.map(String)),
  DIFFERENCES: differences.length,
  LOST: differences.filter(({ right }) => !right[0]).length,
  OURS: AGREEMENT[0]!,
  GOOGLE: AGREEMENT[1]!,
  JS: AGREEMENT[2]!,
} as const;
