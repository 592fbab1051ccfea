import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";

interface StatusViewProps {
  /** Above the title: the kind of news. */
  readonly icon?: ReactNode;
  readonly title: string;
  /** What it means, in a sentence or two. */
  readonly children?: ReactNode;
  /** Where to go from here. */
  readonly actions?: ReactNode;
  /** Whether the title gets focus: if the view has replaced the focused element. */
  readonly focused?: boolean;
  /** Whether this is a dead end, with its icon and the drawing beside it struck through. */
  readonly failed?: boolean;
}

/** An outcome that replaces its form. If focused, the title is announced together with its text. */
export function StatusView({ icon, title, children, actions, focused = false, failed = false }: StatusViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = useId();

  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);

  const shown = failed ? <CircleAlert aria-hidden="true" className="size-7 text-muted" strokeWidth={1.25} /> : icon;
  return (
    <>
      {shown && <div className="mb-5 flex h-8 items-center">{shown}</div>}
      {failed && <span data-failed hidden />}
      <h1 ref={heading} tabIndex={-1} aria-describedby={text} className="text-title outline-none">
        {title}
      </h1>
      <div id={text} className="mt-3 space-y-3 text-soft">
        {children}
      </div>
      {actions && <div className="mt-6 flex flex-wrap gap-3">{actions}</div>}
    </>
  );
}
