import { Children, isValidElement } from "react";
import type { ReactNode } from "react";

function isSide(child: ReactNode): boolean {
  return isValidElement(child) && child.type === Side;
}

/** A text and, in its `Side`, the samples that belong to it: beside each other where there is room, else one after the other. */
export function Split({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children);
  return (
    <div className="doc-split">
      <div className="doc-flow">{parts.filter((part) => !isSide(part))}</div>
      {parts.filter(isSide)}
    </div>
  );
}

/** What stands beside the text, and stays in sight while a longer text is read. */
export function Side({ children }: { children: ReactNode }) {
  return <div className="doc-side doc-flow">{children}</div>;
}
