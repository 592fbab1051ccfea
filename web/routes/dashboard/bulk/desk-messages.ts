import type { Desk } from "./desk.ts";

/** A call of the desk, as it travels to its worker. */
export interface Question {
  readonly id: number;
  readonly name: keyof Desk;
  readonly parts: readonly unknown[];
}

/** The result. A problem is for the user to read; null is an unexpected one. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string | null };
