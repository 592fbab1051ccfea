import type { Workspace } from "./workspace.ts";

/** A call to the workspace, as a message to its worker. */
export interface Call {
  readonly id: number;
  readonly name: keyof Workspace;
  readonly args: readonly unknown[];
}

/** The result. A problem is shown to the user; null is an unexpected one. */
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly problem: string | null };
