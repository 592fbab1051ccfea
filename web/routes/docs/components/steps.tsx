import type { ReactNode } from "react";

/** Things to do one after the other; holds `Step`s. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className="doc-steps">{children}</ol>;
}

/** One of them. The build makes its title the heading that its children begin with. */
export function Step({ children }: { title: string; children: ReactNode }) {
  return <li className="doc-flow">{children}</li>;
}
