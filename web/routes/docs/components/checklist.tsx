import { createContext, use, useId } from "react";
import type { ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { createStore } from "../../../lib/store.ts";
import type { Store } from "../../../lib/store.ts";

const NONE: readonly string[] = [];
/** What is ticked, by checklist. Kept here too, because storage may be closed to us. */
const stores = new Map<string, Store<readonly string[]>>();

function storedAs(list: string): string {
  return `checklist:${list}`;
}

function stored(list: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(storedAs(list)) ?? "[]");
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === "string") : NONE;
  } catch {
    return NONE;
  }
}

function storeOf(list: string): Store<readonly string[]> {
  const store = stores.get(list) ?? createStore(NONE, () => stored(list));
  stores.set(list, store);
  return store;
}

/** Follows what is ticked in another tab. A null key says that all of the storage was cleared. */
function onStorage({ key }: StorageEvent): void {
  for (const [list, store] of stores) if (key === null || key === storedAs(list)) store.reset();
}

// For good, as in lib/language.ts. The build knows no window.
if (typeof window !== "undefined") window.addEventListener("storage", onStorage);

/** The ticks of a checklist, remembered in this browser. */
function useTicks(list: string) {
  const store = storeOf(list);
  function write(items: readonly string[]) {
    try {
      if (items.length === 0) localStorage.removeItem(storedAs(list));
      else localStorage.setItem(storedAs(list), JSON.stringify(items));
    } catch {
      // Storage is closed: the ticks last for this page.
    }
    store.set(items);
  }
  function tick(item: string, on: boolean) {
    const others = store.get().filter((other) => other !== item);
    write(on ? [...others, item] : others);
  }
  return { items: store.use(), tick, clear: () => write(NONE) };
}

interface Ticks {
  readonly items: readonly string[];
  readonly tick: (item: string, on: boolean) => void;
}

const Context = createContext<Ticks>({ items: [], tick() {} });

interface ChecklistProps {
  /** What its ticks are remembered under; no two checklists have the same. */
  readonly id: string;
  readonly title?: string;
  /** The ids of its items, which the build makes of their words. */
  readonly items: readonly string[];
  readonly children: ReactNode;
}

/** Things to tick off. The browser remembers the ticks, and nobody else hears of them. */
export function Checklist({ id, title = "Checklist", items, children }: ChecklistProps) {
  const ticks = useTicks(id);
  const heading = useId();
  const done = items.filter((item) => ticks.items.includes(item)).length;
  return (
    <section aria-labelledby={heading} className="rounded-md border border-line bg-surface">
      <div className="flex min-h-12 flex-wrap items-center gap-x-4 border-b border-line px-4 py-1">
        <p id={heading} className="flex-1 text-base font-medium text-ink">
          {title}
        </p>
        <output className="label" aria-live="polite">
          {done} of {items.length} done
        </output>
        {done > 0 && (
          <Button variant="quiet" size="sm" className="-mr-3 text-muted" onClick={ticks.clear}>
            Clear
          </Button>
        )}
      </div>
      <ul className="doc-checklist">
        <Context value={ticks}>{children}</Context>
      </ul>
    </section>
  );
}

/** One of them. Pages do not write it: the build makes it of each item of the list. */
export function ChecklistItem({ id, children }: { id: string; children: ReactNode }) {
  const { items, tick } = use(Context);
  return (
    <li>
      <Checkbox
        label={children}
        checked={items.includes(id)}
        onChange={(event) => tick(id, event.currentTarget.checked)}
      />
    </li>
  );
}
