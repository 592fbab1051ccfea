import { readFileSync } from "node:fs";
import { join } from "node:path";
import { verify } from "../../test/engine.ts";
import type { Case, ErrorOutcome } from "./case.ts";
import { streamCases } from "./stream-cases.ts";

const FILES = ["requests", "bodies", "errors", "retries", "responses"];

/** A result with every field. In case files, `{"$full": {…}}` is this result with changes. */
const FULL_RESULT = verify("+5511987654321");

/** A result's defaults for absent fields. `{"$least": {…}}` is these plus the response's fields. */
const LEAST = {
  number_type: "unknown",
  possible: false,
  candidates: [],
  time_zones: [],
  carrier_source: "original_allocation",
  deliverability: { sms: "unknown", voice: "unknown", flags: [] },
  reachability: "not_checked",
};

function expand(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("$full" in value) return { ...FULL_RESULT, ...(value.$full as object) };
  // What the service returns for this input.
  if ("$result" in value) return verify(value.$result as string);
  if ("$least" in value) return { ...LEAST, ...(value.$least as object) };
  return value;
}

function read(name: string): Case[] {
  return JSON.parse(readFileSync(join(import.meta.dirname, `cases/${name}.json`), "utf8"), expand) as Case[];
}

/** A hundred numbers, the maximum of a batch. */
function largeBatch(): Case {
  const numbers = Array.from({ length: 100 }, (_, index) => `+5511987650${String(index).padStart(3, "0")}`);
  const results = numbers.map(resultOf);
  return {
    id: "large-batch",
    title: "a batch of a hundred returns complete",
    call: { method: "lookup_batch", numbers },
    played: [{ json: { results } }],
    outcome: { results: results.map((result) => ({ result })) },
  };
}

/** A result for any number. */
export function resultOf(number: string): object {
  return { ...FULL_RESULT, number };
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `+55119876${String(index).padStart(5, "0")}`);
}

/** Lists of any length, sent in chunks of a hundred. */
function lists(): Case[] {
  function list(
    id: string,
    title: string,
    count: number,
    more: { concurrency?: number; came?: number; endedBy?: ErrorOutcome } = {},
  ): Case {
    const { concurrency, came = count, endedBy } = more;
    const numbers = numbered(count);
    return {
      id: `list-${id}`,
      title,
      call: { method: "lookup_all", numbers, country: "BR", ...(concurrency !== undefined && { concurrency }) },
      played: "echo",
      outcome: {
        results: numbers.slice(0, came).map((number) => ({ result: resultOf(number) })),
        ...(endedBy && { ended_by: endedBy }),
      },
    };
  }
  const mixed = numbered(150).map((number, index) => (index % 3 === 0 ? number : { number, country: "BR" }));
  const rejected = { type: "quota", code: "QUOTA_TOO_SMALL", status: 402 } as const;
  return [
    list("empty", "an empty list sends nothing", 0),
    list("hundred", "a list of a hundred is one request", 100),
    list("chunks", "a longer list is sent in chunks of a hundred and keeps its order", 405, { concurrency: 3 }),
    {
      ...list("countries", "a longer list keeps each number's country", 0),
      call: { method: "lookup_all", numbers: mixed },
      outcome: { results: numbered(150).map((number) => ({ result: resultOf(number) })) },
    },
    { ...list("reuse", "connections are reused", 500, { concurrency: 1 }), connections: 3 },
    {
      ...list("rejected", "a rejection's error comes after the earlier results", 250, {
        concurrency: 1,
        came: 100,
        endedBy: rejected,
      }),
      reject_from: 1,
    },
  ];
}

/** The cases whose responses the stand-in plays back. */
export function playedCases(): Case[] {
  return [...FILES.flatMap(read), largeBatch(), ...lists(), ...streamCases(resultOf)];
}
