import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readCases } from "../../web/plugins/cases.ts";
import type { Answer } from "./contenders.ts";
import { SOURCES } from "./sources.ts";

/** A question that another project's test answers. */
export interface Question {
  /** A key of SOURCES. */
  readonly source: string;
  readonly hint: string | undefined;
  /** Where the number must be from; undefined if the test doesn't say. */
  readonly country: string | undefined;
  readonly question: "mobile" | "valid" | "number";
  readonly expected: boolean;
  readonly e164: string | undefined;
  /** Why nobody is held to it; undefined for most. */
  readonly disputed: string | undefined;
  readonly input: string;
}

/** The corpus, which the site serves: README.md beside this file says how it was made. */
const CORPUS = join(import.meta.dirname, "../../web/public/accuracy/corpus.tsv");

/** All rows of the corpus. @throws Error for an unknown source or question */
export function readForeign(): Question[] {
  const [, ...lines] = readFileSync(CORPUS, "utf8").trimEnd().split("\n");
  return lines.map((line) => {
    const cells = line.split("\t");
    const [source = "", hint, country, question, expected, e164, disputed] = cells.map((cell) =>
      cell === "-" ? undefined : cell,
    );
    if (!Object.hasOwn(SOURCES, source) || !/^(?:mobile|valid|number)$/.test(question ?? "") || cells.length !== 8) {
      throw new Error(`A row of the corpus is wrong: ${line}`);
    }
    const is = question as Question["question"];
    return { source, hint, country, question: is, expected: expected === "yes", e164, disputed, input: cells[7]! };
  });
}

/** Digits by which two inputs are of one line or its neighbors: our cases have other last digits than their sources. */
function lineOf(input: string): string {
  const digits = input.normalize("NFKC").replaceAll(/\D/g, "");
  return digits.length < 9 ? digits : digits.slice(0, -4);
}

/** Whether one of our own cases has the question's number. */
export function ownCases(): (question: Question) => boolean {
  const own = new Set(readCases().flatMap(({ input, number }) => [input, number ?? ""].map(lineOf)));
  return ({ input, e164 }) => own.has(lineOf(input)) || (e164 !== undefined && own.has(lineOf(e164)));
}

/** Whether an answer is what the test expects. */
export function agrees({ question, expected, country, e164 }: Question, answer: Answer): boolean {
  const isThis = e164 === undefined || answer.number === e164;
  const isThere = country === undefined || answer.country === country;
  if (question === "number") return isThis && isThere;
  const isYes = answer.valid && isThere && (question === "valid" || answer.mobile);
  return expected ? isYes && isThis : !isYes;
}
