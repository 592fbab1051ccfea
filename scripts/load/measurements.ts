import { classOf, isExpected } from "./answers.ts";
import type { Answer } from "./answers.ts";

/** One line of the report: a kind of traffic. Times in milliseconds. */
export interface KindReport {
  readonly kind: string;
  readonly requests: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

/** The value that so many per cent of sorted values do not exceed (nearest rank); 0 of none. */
export function percentile(sorted: readonly number[], percent: number): number {
  return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? 0;
}

/** What a run has seen so far. */
export class Measurements {
  readonly #times = new Map<string, number[]>();
  readonly #answers = new Map<string, number>();
  readonly #unexpected = new Map<string, number>();

  /** Notes an answer and how long it took, in milliseconds. `expects` as in a kind of traffic. */
  note(
    kind: string,
    answer: Answer,
    { took, expects }: { readonly took: number; readonly expects: readonly string[] },
  ) {
    const times = this.#times.get(kind) ?? [];
    this.#times.set(kind, times);
    times.push(took);
    const name = classOf(answer);
    this.#answers.set(name, (this.#answers.get(name) ?? 0) + 1);
    if (isExpected(answer, expects)) return;
    const unexpected = `${kind}: ${name}`;
    this.#unexpected.set(unexpected, (this.#unexpected.get(unexpected) ?? 0) + 1);
  }

  get requests(): number {
    return [...this.#times.values()].reduce((sum, { length }) => sum + length, 0);
  }

  kinds(): KindReport[] {
    return [...this.#times]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([kind, times]) => {
        const sorted = times.toSorted((a, b) => a - b);
        const at = (percent: number) => Math.round(percentile(sorted, percent) * 10) / 10;
        return { kind, requests: sorted.length, p50: at(50), p95: at(95), p99: at(99) };
      });
  }

  /** How many answers of each class there were. */
  answers(): Record<string, number> {
    return Object.fromEntries([...this.#answers].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** Answers that the kind of traffic must not get, or that the contract does not name. */
  unexpected(): Record<string, number> {
    return Object.fromEntries(this.#unexpected);
  }
}
