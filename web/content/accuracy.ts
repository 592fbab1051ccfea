/**
 * What `npm run bench -- accuracy` measured, as in accuracy.json. A list of counts or answers has one per contender, in
 * their order; ours is the first.
 */
export interface AccuracyResult {
  /** The UTC day, "2026-11-29". */
  readonly date: string;
  readonly contenders: readonly {
    readonly name: string;
    readonly release: string;
    readonly released: string;
    readonly call: string;
  }[];
  readonly foreign: readonly ForeignRow[];
  /** In how many of the rows left out as our own a contender agrees with the test. */
  readonly ownRight: readonly number[];
  /** The largest reason first. */
  readonly disputed: readonly DisputedRows[];
  /** Compared rows in which some contenders agree with the test and others don't. */
  readonly differences: readonly Difference[];
  readonly registers: readonly {
    readonly country: string;
    readonly as_of: string;
    readonly assigned: { readonly sample: number; readonly valid: readonly number[] };
    /** `named` is how many Checkline calls unassigned on that day. */
    readonly free: { readonly sample: number; readonly valid: readonly number[]; readonly named: number };
  }[];
  /** Our own cases: those that are a number, and those that aren't. */
  readonly cases: readonly { readonly valid: boolean; readonly rows: number; readonly right: readonly number[] }[];
}

/** Another project's tests: `rows` are `compared`, or left out as our `own` or `disputed`. */
export interface ForeignRow {
  readonly project: string;
  readonly file: string;
  readonly license: string;
  readonly rows: number;
  readonly own: number;
  readonly disputed: number;
  readonly compared: number;
  /** In how many compared rows a contender agrees with the test. */
  readonly right: readonly number[];
  /** In how many no contender does. */
  readonly none: number;
}

/** Rows that are disputed for one reason, and the first of them. */
export interface DisputedRows {
  readonly reason: string;
  readonly project: string;
  readonly rows: number;
  /** In how many a contender would agree with the test. */
  readonly right: readonly number[];
  readonly input: string;
  readonly hint: string | null;
}

export interface Difference {
  readonly project: string;
  readonly input: string;
  readonly hint: string | null;
  readonly expected: string;
  readonly answers: readonly string[];
  readonly right: readonly boolean[];
}
