import { useEffect, useRef } from "react";
import type { ReactNode } from "react";
import { Tabs as Base } from "@base-ui/react/tabs";
import { clsx } from "clsx";

/** Tabs over panels: a `TabList`, then a `TabPanel` per tab. */
export const Tabs = Base.Root;

export interface TabListProps {
  /** What the tabs select between: the list's accessible name. */
  label: string;
  /** The selected tab, to keep in view if the row is too narrow. */
  selected?: string | undefined;
  /** `Tab`s. */
  children: ReactNode;
}

/** The row of tabs over a hairline. Arrow keys select a tab immediately. If too narrow, it scrolls sideways. */
export function TabList({ label, selected, children }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);

  // Manually: scrollIntoView would also move the page.
  useEffect(() => {
    const row = list.current;
    const tab = selected && row?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(selected)}"]`);
    if (!row || !tab || row.scrollWidth <= row.clientWidth) return;
    const offset = tab.getBoundingClientRect().left - row.getBoundingClientRect().left;
    row.scrollBy({ left: offset - (row.clientWidth - tab.offsetWidth) / 2, behavior: "smooth" });
  }, [selected]);

  return (
    <Base.List
      ref={list}
      activateOnFocus
      aria-label={label}
      className={`${TAB_ROW} fade-end flex gap-6 overflow-y-hidden overscroll-x-contain [scrollbar-width:none]`}
    >
      {children}
    </Base.List>
  );
}

/** The row's look: a hairline as wide as the page, and at both ends room for the ring of a focused tab. */
export const TAB_ROW =
  "-mx-1.5 overflow-x-auto bg-[linear-gradient(var(--line),var(--line))] bg-[length:calc(100%-0.75rem)_1px] bg-bottom bg-no-repeat px-1.5";

/** A tab's look, for a link too: with `aria-current`, and with `data-tab` for forced colors. */
export const TAB = clsx(
  "relative -mx-1.5 inline-flex min-h-10 min-w-9 shrink-0 items-center justify-center gap-2 border-clear px-1.5 text-base whitespace-nowrap",
  "after:absolute after:inset-x-1.5 after:bottom-0 after:border-b-2 after:border-inherit",
  "text-muted transition-colors duration-(--duration-quick) select-none hover:text-ink pointer-coarse:min-h-11",
  "focus-visible:-outline-offset-2 aria-[current=page]:border-ink aria-[current=page]:text-ink aria-selected:border-ink",
  "aria-selected:text-ink",
);

/** One tab. */
export function Tab({ value, children }: { value: string; children: ReactNode }) {
  return (
    <Base.Tab value={value} data-tab={value} className={TAB}>
      {children}
    </Base.Tab>
  );
}

/** A tab's content. It stays in the HTML while hidden, and without a script a `<noscript>` style may show it. */
export function TabPanel({ value, className, children }: { value: string; className?: string; children: ReactNode }) {
  return (
    <Base.Panel
      value={value}
      keepMounted
      inert={false}
      tabIndex={undefined}
      className={clsx("min-w-0 pt-5 data-ending-style:hidden print:pt-0", className)}
    >
      {children}
    </Base.Panel>
  );
}
