import { createContext, use, useId } from "react";
import type { ReactNode } from "react";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { createKeptStore } from "../../../lib/store.ts";
import type { Store } from "../../../lib/store.ts";

const NONE: readonly string[] = [];
/** Checked items by checklist. */
const stores = new Map<string, Store<readonly string[]>>();

function parse(text: string | null): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(text ?? "[]");
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === "string") : NONE;
  } catch {
    return NONE;
  }
}

function format(items: readonly string[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items);
}

function storeOf(list: string): Store<readonly string[]> {
  const key = `checklist:${list}`;
  const store = stores.get(list) ?? createKeptStore({ key, prerendered: NONE, parse, format });
  stores.set(list, store);
  return store;
}

/** A checklist's checked items, remembered in this browser. */
function useTicks(list: string) {
  const store = storeOf(list);
  function tick(item: string, on: boolean) {
    const others = store.get().filter((other) => other !== item);
    store.set(on ? [...others, item] : others);
  }
  return { items: store.use(), tick, clear: () => store.set(NONE) };
}

interface Ticks {
  readonly items: readonly string[];
  readonly tick: (item: string, on: boolean) => void;
}

const Context = createContext<Ticks>({ items: [], tick() {} });

interface ChecklistProps {
  /** Its key in storage; unique per checklist. */
  readonly id: string;
  readonly title?: string;
  /** Its items' ids, which the build derives from their text. */
  readonly items: readonly string[];
  readonly children: ReactNode;
}

/** A list to check off. Checked items are remembered in the browser and sent nowhere. */
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

/** One item. Pages don't write it: the build generates it for each list item. */
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
