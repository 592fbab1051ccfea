import type { Desk } from "./desk.ts";

/** A call of the desk, as it travels to its worker. */
export interface Question {
  readonly id: number;
  readonly name: keyof Desk;
  readonly parts: readonly unknown[];
}

/** What came of it. A problem is for the user to read; null is one that nobody foresaw. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string | null };
