import { cloneElement, useEffect, useId, useRef, useState } from "react";
import type { ReactElement } from "react";
import { follow } from "../../lib/anchor.ts";

const DELAY_MS = 400;
/** Long enough to move the pointer onto the tip. */
const GRACE_MS = 120;

export interface TooltipProps {
  /** A few words more about the control; never its only name. */
  text: string;
  side?: "top" | "bottom" | undefined;
  /** One focusable element. */
  children: ReactElement<{ "aria-describedby"?: string | undefined }>;
}

/** Words beside a control while the pointer rests on it or the keyboard is at it. Escape puts them away. */
export function Tooltip({ text, side = "top", children }: TooltipProps) {
  const id = useId();
  const around = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  const [open, setOpen] = useState(false);

  useEffect(() => {
    const span = around.current;
    if (!span) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    function soon(next: boolean, delay: number) {
      clearTimeout(timer);
      timer = setTimeout(() => setOpen(next), delay);
    }
    // The tip is within the span, so the pointer may rest on it too.
    const enter = (event: PointerEvent) => event.pointerType !== "touch" && soon(true, DELAY_MS);
    const leave = () => soon(false, GRACE_MS);
    const focus = (event: FocusEvent) =>
      event.target instanceof Element && event.target.matches(":focus-visible") && soon(true, 0);
    const blur = () => soon(false, 0);
    span.addEventListener("pointerenter", enter);
    span.addEventListener("pointerleave", leave);
    span.addEventListener("pointerdown", blur);
    span.addEventListener("focusin", focus);
    span.addEventListener("focusout", blur);
    return () => {
      clearTimeout(timer);
      span.removeEventListener("pointerenter", enter);
      span.removeEventListener("pointerleave", leave);
      span.removeEventListener("pointerdown", blur);
      span.removeEventListener("focusin", focus);
      span.removeEventListener("focusout", blur);
    };
  }, []);

  useEffect(() => {
    const anchor = around.current?.firstElementChild;
    const popover = tip.current;
    if (!open || !anchor || !popover) return;
    popover.showPopover();
    const stop = follow(anchor, popover, { side, align: "center", gap: 6 });
    function escape(event: KeyboardEvent) {
      if (event.key !== "Escape") return;
      // Only the tip goes, not the dialog it may be in.
      event.stopPropagation();
      setOpen(false);
    }
    document.addEventListener("keydown", escape, { capture: true });
    return () => {
      stop();
      document.removeEventListener("keydown", escape, { capture: true });
      popover.hidePopover();
    };
  }, [open, side]);

  return (
    <span ref={around} className="inline-flex">
      {cloneElement(children, { "aria-describedby": id })}
      <span
        ref={tip}
        id={id}
        role="tooltip"
        popover="manual"
        className="m-auto max-w-[min(18rem,calc(100vw-1rem))] rounded-sm bg-ink px-2 py-1 text-left text-sm font-normal whitespace-normal text-paper transition-opacity duration-(--duration-quick) starting:open:opacity-0"
      >
        {text}
      </span>
    </span>
  );
}
