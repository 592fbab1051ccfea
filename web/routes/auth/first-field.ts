import { useEffect } from "react";
import type { RefObject } from "react";

/** Whether this is most likely a desktop: by touch, a focused field would bring up a keyboard over half the page. */
export function hasKeyboard(): boolean {
  return window.matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Puts the cursor into the form's first field as the page opens, on desktops, unless somebody is somewhere already. */
export function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && hasKeyboard()) form.current?.querySelector("input")?.focus();
  }, [form]);
}
