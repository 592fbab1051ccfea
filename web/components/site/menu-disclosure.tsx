import { useEffect, useRef } from "react";
import type { ReactNode, RefObject } from "react";
import Menu from "lucide-react/icons/menu";
import X from "lucide-react/icons/x";
import { clsx } from "clsx";

/**
 * Makes a `<details>` behave like a menu button: Escape closes it and returns focus to its summary, a click outside or
 * a followed link closes it, and the arrow keys, Home, and End move through its links. Still opens without JavaScript.
 */
export function useDismiss(details: RefObject<HTMLDetailsElement | null>): void {
  useEffect(() => {
    const element = details.current;
    if (element === null) return;
    const menu = element;

    function links(): HTMLElement[] {
      return [...menu.querySelectorAll<HTMLElement>("a[href]")].filter((link) => link.checkVisibility());
    }

    function close(): void {
      menu.open = false;
    }

    function onKeyDown(event: KeyboardEvent): void {
      const summary = menu.querySelector("summary");
      if (event.key === "Escape" && menu.open) {
        close();
        summary?.focus();
        return;
      }
      const { activeElement } = document;
      if (activeElement === null || !menu.contains(activeElement)) return;
      const opens = event.key === "ArrowDown" || event.key === "ArrowUp";
      if (!menu.open && !opens) return;
      // A closed menu's links are invisible, so not in the list yet.
      if (opens) menu.open = true;
      const all = links();
      const at = all.indexOf(activeElement as HTMLElement);
      const next: Readonly<Record<string, number>> = {
        ArrowDown: (at + 1) % all.length,
        ArrowUp: Math.max(at, 0) - 1,
        Home: 0,
        End: -1,
      };
      const to = next[event.key];
      if (to === undefined) return;
      event.preventDefault();
      all.at(to)?.focus();
    }

    function onPress(event: Event): void {
      if (menu.open && !menu.contains(event.target as Node)) close();
    }

    function onClick(event: MouseEvent): void {
      if ((event.target as Element).closest("a[href]") !== null) close();
    }

    // Leaving by Tab closes it too; without a next element the window itself lost focus, and the menu can stay.
    function onFocusOut(event: FocusEvent): void {
      if (event.relatedTarget !== null && !menu.contains(event.relatedTarget as Node)) close();
    }

    const mounted = new AbortController();
    document.addEventListener("keydown", onKeyDown, { signal: mounted.signal });
    document.addEventListener("pointerdown", onPress, { signal: mounted.signal });
    menu.addEventListener("click", onClick, { signal: mounted.signal });
    menu.addEventListener("focusout", onFocusOut, { signal: mounted.signal });
    return () => mounted.abort();
  }, [details]);
}

interface MenuDisclosureProps {
  /** The width at which the menu is no longer needed: `lg:hidden`. */
  readonly className: string;
  readonly children: ReactNode;
}

/** A header's menu for narrow windows: a button, and a panel below the header. Opens without a script too. */
export function MenuDisclosure({ className, children }: MenuDisclosureProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  return (
    <details ref={details} className={clsx("group", className)}>
      <summary aria-label="Menu" className="-mr-2.5 grid size-11 place-items-center rounded-md">
        <Menu aria-hidden="true" className="size-5 group-open:hidden" />
        <X aria-hidden="true" className="hidden size-5 group-open:block" />
      </summary>
      <div className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto border-y border-line bg-paper shadow-float">
        <div className="page-width animate-appear py-5">{children}</div>
      </div>
    </details>
  );
}
