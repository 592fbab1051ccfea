import { useEffect, useId, useRef } from "react";
import type { ReactNode } from "react";

interface Props {
  /** Above the title: what kind of news it is. */
  readonly icon?: ReactNode;
  readonly title: string;
  /** What it means, in a sentence or two. */
  readonly children?: ReactNode;
  /** Where to go from here. */
  readonly actions?: ReactNode;
  /** Whether the title takes the focus: where the view has taken the place of what had it. */
  readonly focused?: boolean;
}

/** What came of something, in the place of its form. Focused, the title is read out together with its text. */
export function StatusView({ icon, title, children, actions, focused = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = useId();

  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);

  return (
    <>
      {icon && <div className="mb-5 flex h-8 items-center">{icon}</div>}
      <h1 ref={heading} tabIndex={-1} aria-describedby={text} className="text-title outline-none">
        {title}
      </h1>
      <div id={text} className="mt-4 space-y-3 text-soft">
        {children}
      </div>
      {actions && <div className="mt-8 flex flex-wrap gap-3">{actions}</div>}
    </>
  );
}
