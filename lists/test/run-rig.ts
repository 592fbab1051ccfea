import type { VerificationResult } from "../../contract/verification.ts";
import { createRun, nextChunk } from "../run.ts";
import type { Call, Outcome, Phase, Run } from "../run.ts";

export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `+1202555${String(at).padStart(5, "0")}`);
}

function result(number: string): VerificationResult {
  return { valid: true, number } as VerificationResult;
}

export function answered(_: Call, left = 50): Outcome {
  return { kind: "answered", limit: { left, seconds: 7 } };
}

export type Respond = (call: Call, at: number) => Outcome | Promise<Outcome>;

/** A run whose clock only advances by its own waiting; with `held`, waits never end. */
export function rig(list: readonly string[], respond: Respond, { held = false, checked = 0 } = {}) {
  const calls: Call[] = [];
  const phases: Phase[] = [];
  const waits: number[] = [];
  const recorded: VerificationResult[] = [];
  let time = 1_000_000;
  const run = createRun(
    { total: list.length, checked, conditions: { accept_types: ["mobile"] }, id: "id" },
    {
      next: (first, most) => nextChunk(list, first, most),
      async store(results: readonly VerificationResult[]) {
        recorded.push(...results);
      },
      async *send(call, signal) {
        calls.push(call);
        const outcome = await respond(call, calls.length - 1);
        signal.throwIfAborted();
        if (outcome.kind === "answered")
          yield call.numbers.map((item) => result(typeof item === "string" ? item : item.number));
        return outcome;
      },
      now: () => time,
      async sleep(ms, signal) {
        waits.push(ms);
        signal.throwIfAborted();
        if (held) {
          await new Promise((_, reject) => {
            signal.addEventListener("abort", () => reject(new Error("aborted")));
          });
        }
        time += ms;
      },
    },
  );
  run.subscribe(() => phases.push(run.snapshot().phase));
  return { run, calls, phases, waits, recorded };
}

export async function settle(run: Run, name: Phase["name"]): Promise<Phase> {
  for (let turn = 0; turn < 5000; turn++) {
    const { phase } = run.snapshot();
    if (phase.name === name) {
      // Background work finishes.
      await new Promise((resolve) => setTimeout(resolve));
      return phase;
    }
    await Promise.resolve();
  }
  throw new Error(`It is ${JSON.stringify(run.snapshot().phase)}, not ${name}`);
}

export function sizes(calls: readonly Call[]): number[] {
  return calls.map((call) => call.numbers.length);
}
