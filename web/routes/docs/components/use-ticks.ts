import { useCallback, useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
const NONE: readonly string[] = [];
/** What is ticked, by checklist. Kept here too, because storage may be closed to us. */
const ticked = new Map<string, readonly string[]>();

function keyOf(list: string): string {
  return `checklist:${list}`;
}

function parse(value: string | null): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(value ?? "[]");
    return Array.isArray(parsed) ? parsed.filter((item) => typeof item === "string") : NONE;
  } catch {
    return NONE;
  }
}

function read(list: string): readonly string[] {
  let items = ticked.get(list);
  if (items === undefined) {
    try {
      items = parse(localStorage.getItem(keyOf(list)));
    } catch {
      items = NONE;
    }
    ticked.set(list, items);
  }
  return items;
}

function write(list: string, items: readonly string[]): void {
  ticked.set(list, items);
  try {
    if (items.length === 0) localStorage.removeItem(keyOf(list));
    else localStorage.setItem(keyOf(list), JSON.stringify(items));
  } catch {
    // Storage is closed: the ticks last for this page.
  }
  for (const listener of listeners) listener();
}

/** Follows what is ticked in another tab. */
function onStorage({ key }: StorageEvent): void {
  if (key !== null && !key.startsWith("checklist:")) return;
  ticked.clear();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", onStorage);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", onStorage);
  };
}

/** The ticks of a checklist, remembered in this browser. */
export function useTicks(list: string) {
  const items = useSyncExternalStore(
    subscribe,
    () => read(list),
    () => NONE,
  );
  const tick = useCallback(
    (item: string, on: boolean) => {
      const others = read(list).filter((other) => other !== item);
      write(list, on ? [...others, item] : others);
    },
    [list],
  );
  const clear = useCallback(() => write(list, NONE), [list]);
  return { items, tick, clear };
}
