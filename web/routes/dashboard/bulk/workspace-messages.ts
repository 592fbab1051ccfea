import type { Desk } from "./desk.ts";

/** A call to the desk, as a message to its worker. */
export interface Question {
  readonly id: number;
  readonly name: keyof Desk;
  readonly parts: readonly unknown[];
}

/** The result. A problem is shown to the user; null is an unexpected one. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string | null };
