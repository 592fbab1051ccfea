import type { VerificationResult } from "../../../../../contract/verification.ts";
import type { BatchCall, BatchResult, BatchOutcome } from "../call-batch.ts";
import { createRun } from "../run.ts";
import type { Phase, Run } from "../run.ts";

export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `+1202555${String(at).padStart(5, "0")}`);
}

function result(number: string): VerificationResult {
  return { valid: true, number } as VerificationResult;
}

export function answered(call: BatchCall, left = 50): BatchOutcome {
  return {
    kind: "answered",
    results: call.numbers.map((item) => result(typeof item === "string" ? item : item.number)),
    limit: { left, seconds: 7 },
  };
}

export type Respond = (call: BatchCall, at: number) => BatchOutcome | Promise<BatchOutcome>;

/** A run whose clock only advances by its own waiting; with `held`, waits never end. */
export function rig(list: readonly string[], respond: Respond, { held = false, checked = 0 } = {}) {
  const calls: BatchCall[] = [];
  const phases: Phase[] = [];
  const waits: number[] = [];
  const recorded: BatchResult[] = [];
  let time = 1_000_000;
  const run = createRun(
    { numbers: list, checked, conditions: { accept_types: ["mobile"] }, id: "id" },
    {
      async record(results) {
        recorded.push(...results);
      },
      async send(call, signal) {
        calls.push(call);
        const outcome = await respond(call, calls.length - 1);
        signal.throwIfAborted();
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

export function sizes(calls: readonly BatchCall[]): number[] {
  return calls.map((call) => call.numbers.length);
}
