import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { useLocation } from "react-router";
import { hasKeyboard } from "./first-field.ts";

/** The heading of a form's page and a line about it. By touch, where no field takes the focus, it does after a link led here. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();

  useEffect(() => {
    // The first page of a visit is read out by itself.
    if (key !== "default" && !hasKeyboard()) heading.current?.focus();
  }, [key]);

  return (
    <div className="mb-8">
      <h1 ref={heading} tabIndex={-1} className="text-title outline-none">
        {title}
      </h1>
      {children && <p className="mt-3 text-soft">{children}</p>}
    </div>
  );
}
