import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { verifyOn } from "../test/engine.ts";
import type { AccuracyResult, Difference, DisputedRows, ForeignRow } from "../web/content/accuracy.ts";
import { readCases } from "../web/plugins/cases.ts";
import type { Case } from "../web/plugins/cases.ts";
import { CONTENDERS } from "./accuracy/contenders.ts";
import type { Answer } from "./accuracy/contenders.ts";
import { agrees, ownCases, readForeign } from "./accuracy/foreign.ts";
import type { Question } from "./accuracy/foreign.ts";
import { registerSamples } from "./accuracy/registers.ts";
import { SOURCES } from "./accuracy/sources.ts";

const RESULT = join(import.meta.dirname, "../web/content/accuracy.json");

const answersTo = (input: string, country?: string) => CONTENDERS.map(({ ask }) => ask(input, country));

/** How many items each contender is right in. */
function rightIn<Item>(items: readonly Item[], rights: (item: Item) => readonly boolean[]): number[] {
  const sums = CONTENDERS.map(() => 0);
  for (const item of items) for (const [at, isRight] of rights(item).entries()) sums[at]! += Number(isRight);
  return sums;
}

/** An answer in a few characters: "+13612145896, not mobile", "invalid". */
function told({ valid, mobile, number }: Answer, { question, e164 }: Question): string {
  if (question !== "number" && !valid) return "invalid";
  if (question === "mobile" && !mobile) return `${number}, not mobile`;
  return number === null ? "no number" : e164 === undefined && question === "valid" ? "valid" : number;
}

function expectation({ question, expected, e164 }: Question): string {
  const what = question === "mobile" ? "mobile" : question === "valid" ? "valid" : "this number";
  return `${expected ? "" : "not "}${what}${e164 === undefined ? "" : ` ${e164}`}`;
}

const rightsTo = (question: Question) => answersTo(question.input, question.hint).map((each) => agrees(question, each));

/** Why a question is disputed, without its number, which differs from row to row. */
function reasonOf({ disputed = "" }: Question): string {
  const reason = disputed.startsWith("about writing alone") ? "the source accepts another way of writing it" : disputed;
  return reason[0]!.toUpperCase() + reason.slice(1);
}

/** Rows that some contenders answer as the test does, and others don't. */
function differencesIn(questions: readonly Question[]): Difference[] {
  return questions.flatMap((question) => {
    const right = rightsTo(question);
    if (new Set(right).size === 1) return [];
    const { source, input, hint = null } = question;
    const answers = answersTo(input, question.hint).map((answer) => told(answer, question));
    return { project: SOURCES[source]!.project, input, hint, expected: expectation(question), answers, right };
  });
}

/** Table A: what other projects' tests expect. */
function measureForeign(): Pick<AccuracyResult, "foreign" | "ownRight" | "disputed" | "differences"> {
  const isOwn = ownCases();
  const questions = readForeign();
  const disputed = questions.filter((question) => question.disputed !== undefined);
  const [own, compared] = [true, false].map((like) =>
    questions.filter((question) => question.disputed === undefined && isOwn(question) === like),
  ) as [Question[], Question[]];
  const foreign = Object.entries(SOURCES).map(([key, source]): ForeignRow => {
    const [all, apart, those] = [questions, disputed, compared].map((list) =>
      list.filter((each) => each.source === key),
    );
    return {
      ...source,
      rows: all!.length,
      own: all!.length - apart!.length - those!.length,
      disputed: apart!.length,
      compared: those!.length,
      right: rightIn(those!, rightsTo),
      none: those!.filter((question) => !rightsTo(question).includes(true)).length,
    };
  });
  const reasons = [...Map.groupBy(disputed, reasonOf)].map(([reason, rows]): DisputedRows => {
    const { source, hint = null, input } = rows[0]!;
    return {
      reason,
      rows: rows.length,
      right: rightIn(rows, rightsTo),
      project: SOURCES[source]!.project,
      input,
      hint,
    };
  });
  return {
    foreign,
    ownRight: rightIn(own, rightsTo),
    disputed: reasons.toSorted((a, b) => b.rows - a.rows),
    differences: differencesIn(compared),
  };
}

/** Table B: whether assigned numbers are valid, and what is said of free ones. */
function measureRegisters(day: string): AccuracyResult["registers"] {
  return registerSamples().map(({ country, as_of, assigned, free }) => {
    const valid = (numbers: readonly string[]) =>
      rightIn(numbers, (number) => answersTo(number).map((each) => each.valid));
    return {
      country,
      as_of,
      assigned: { sample: assigned.length, valid: valid(assigned) },
      free: {
        sample: free.length,
        valid: valid(free),
        named: free.filter((number) => verifyOn(number, undefined, day).allocation?.status === "unassigned").length,
      },
    };
  });
}

function isRightIn({ valid, number }: Case, answer: Answer): boolean {
  return answer.valid === valid && (!valid || number === undefined || answer.number === number);
}

/** Table C: our own cases. */
function measureCases(): AccuracyResult["cases"] {
  const groups = Map.groupBy(readCases(), ({ valid }) => valid);
  return [true, false].map((valid) => {
    const cases = groups.get(valid)!;
    const right = rightIn(cases, (each) =>
      answersTo(each.input, each.country ?? undefined).map((answer) => isRightIn(each, answer)),
    );
    return { valid, rows: cases.length, right };
  });
}

/** Measures the accuracy of all contenders, records it for the site, and prints the counts. */
export function measureAccuracy(): void {
  const date = new Date().toISOString().slice(0, 10);
  const result: AccuracyResult = {
    date,
    contenders: CONTENDERS.map(({ name, release, released, call }) => ({ name, release, released, call })),
    ...measureForeign(),
    registers: measureRegisters(date),
    cases: measureCases(),
  };
  const names = CONTENDERS.map(({ name }) => name);
  const named = (counts: readonly number[]) => Object.fromEntries(names.map((name, at) => [name, counts[at]]));
  console.table(
    result.foreign.map(({ project, compared, right, none }) => ({ project, compared, ...named(right), none })),
  );
  console.table(
    result.registers.flatMap(({ country, assigned, free }) => [
      { country, numbers: "assigned", sample: assigned.sample, ...named(assigned.valid) },
      { country, numbers: "free", sample: free.sample, ...named(free.valid), "said to be free": free.named },
    ]),
  );
  console.table(
    result.cases.map(({ valid, rows, right }) => ({ cases: valid ? "numbers" : "invalid", rows, ...named(right) })),
  );
  writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
}
