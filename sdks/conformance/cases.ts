import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Case } from "./case.ts";

const FILES = ["requests", "answers", "errors", "retries"];

/** An answer with every field. In the case files `{"$full": {…}}` stands for it, with what is different. */
const FULL_ANSWER = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../web/content/samples/answer.json"), "utf8"),
) as Readonly<Record<string, unknown>>;

function expand(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("$full" in value)) return value;
  return { ...FULL_ANSWER, ...(value.$full as object) };
}

function read(name: string): Case[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, `cases/${name}.json`), "utf8"), expand) as Case[];
}

/** A hundred numbers, the most that a batch takes. */
function largeBatch(): Case {
  const numbers = Array.from({ length: 100 }, (_, index) => `+5511987650${String(index).padStart(3, "0")}`);
  const results = numbers.map((number) => ({ ...FULL_ANSWER, number }));
  return {
    id: "large-batch",
    title: "a batch of a hundred comes back whole",
    call: { method: "lookup_batch", numbers },
    answers: [{ json: { results } }],
    outcome: { results: results.map((result) => ({ result })) },
  };
}

/** The cases whose answers the stand-in plays back. */
export function playedCases(): Case[] {
  return [...FILES.flatMap(read), largeBatch()];
}
