import { useSyncExternalStore } from "react";

/** A value that lives outside React, in this page's memory. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Back to how it began. Components hear of it just after, so that it may be called while React renders. */
  readonly reset: () => void;
  /** The value as a hook: what prerendered HTML shows until the page is alive. */
  readonly use: () => T;
}

/**
 * Makes a store.
 * @param prerendered the value in prerendered HTML
 * @param read the initial value in the browser, read when first needed; `prerendered` by default
 */
export function createStore<T extends {} | null>(prerendered: T, read: () => T = () => prerendered): Store<T> {
  const listeners = new Set<() => void>();
  let value: T | undefined;

  function get(): T {
    if (value === undefined) value = read();
    return value;
  }

  function announce(): void {
    for (const listener of listeners) listener();
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  return {
    get,
    set(next) {
      value = next;
      announce();
    },
    reset() {
      value = undefined;
      queueMicrotask(announce);
    },
    use: () => useSyncExternalStore(subscribe, get, () => prerendered),
  };
}
