import { createContext, use, useEffect, useId, useMemo, useRef, useState } from "react";
import type { KeyboardEvent, ReactNode } from "react";
import { clsx } from "clsx";
import { destination } from "../../lib/arrow-keys.ts";

/** The selected tab, how to select another, and the prefix of its parts' ids. */
interface Shown {
  readonly selected: string;
  readonly select: (value: string) => void;
  readonly id: string;
}

const Context = createContext<Shown>({ selected: "", select() {}, id: "" });

export interface TabsProps {
  /** The initial tab, also in prerendered HTML. Required unless `value` is given. */
  defaultValue?: string | undefined;
  /** The selected tab, if controlled. */
  value?: string | undefined;
  onValueChange?: ((value: string) => void) | undefined;
  className?: string | undefined;
  /** A `TabList`, then a `TabPanel` per tab. */
  children: ReactNode;
}

/** Tabs over panels. All panels are in the HTML; unselected ones are hidden. */
export function Tabs({ defaultValue = "", value, onValueChange, className, children }: TabsProps) {
  const [own, setOwn] = useState(defaultValue);
  const id = useId();
  const selected = value ?? own;
  const shown = useMemo(() => {
    function select(next: string) {
      setOwn(next);
      onValueChange?.(next);
    }
    return { selected, select, id };
  }, [selected, onValueChange, id]);
  return (
    <Context value={shown}>
      <div className={className}>{children}</div>
    </Context>
  );
}

export interface TabListProps {
  /** What the tabs select between: the list's accessible name. */
  label: string;
  className?: string | undefined;
  /** `Tab`s. */
  children: ReactNode;
}

/**
 * The row of tabs over a hairline. Arrow keys select a tab immediately. If too narrow, it scrolls sideways, keeping the
 * selected tab in view.
 */
export function TabList({ label, className, children }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const { selected } = use(Context);

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
    const to = destination("horizontal", event.key, tabs.indexOf(event.target as HTMLElement), tabs.length);
    if (to === undefined) return;
    event.preventDefault();
    const next = tabs[to];
    next?.focus();
    next?.click();
  }

  // Manually: scrollIntoView would also move the page.
  useEffect(() => {
    const row = list.current;
    const tab = row?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(selected)}"]`);
    if (!row || !tab || row.scrollWidth <= row.clientWidth) return;
    const offset = tab.getBoundingClientRect().left - row.getBoundingClientRect().left;
    row.scrollBy({ left: offset - (row.clientWidth - tab.offsetWidth) / 2, behavior: "smooth" });
  }, [selected]);

  return (
    <div
      ref={list}
      role="tablist"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
      className={clsx(
        TAB_ROW,
        "fade-end flex gap-6 overflow-y-hidden overscroll-x-contain [scrollbar-width:none]",
        className,
      )}
    >
      {children}
    </div>
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
export function Tab({ value, className, children }: { value: string; className?: string; children: ReactNode }) {
  const { selected, select, id } = use(Context);
  const isSelected = value === selected;
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-tab-${value}`}
      aria-controls={`${id}-panel-${value}`}
      aria-selected={isSelected}
      // One stop for Tab; the arrow keys move from there.
      tabIndex={isSelected ? 0 : -1}
      data-tab={value}
      onClick={() => select(value)}
      className={clsx(TAB, className)}
    >
      {children}
    </button>
  );
}

/** A tab's content. It stays in the HTML while hidden, and without a script a `<noscript>` style may show it. */
export function TabPanel({ value, className, children }: { value: string; className?: string; children: ReactNode }) {
  const { selected, id } = use(Context);
  return (
    <div
      role="tabpanel"
      id={`${id}-panel-${value}`}
      aria-labelledby={`${id}-tab-${value}`}
      hidden={value !== selected}
      className={clsx("min-w-0 pt-5 print:pt-0", className)}
    >
      {children}
    </div>
  );
}
