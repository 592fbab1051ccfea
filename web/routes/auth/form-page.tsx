import { useEffect, useRef } from "react";
import type { RefObject, ReactNode } from "react";
import { useLocation } from "react-router";

/** Whether this is most likely a desktop: by touch, a focused field would bring up a keyboard over half the page. */
function hasKeyboard(): boolean {
  return window.matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Puts the cursor into the form's first field as the page opens, on desktops, unless somebody is somewhere already. */
export function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && hasKeyboard()) form.current?.querySelector("input")?.focus();
  }, [form]);
}

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
