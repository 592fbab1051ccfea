import { useSyncExternalStore } from "react";

/** A value outside React, in this page's memory. */
export interface Store<T> {
  readonly get: () => T;
  readonly set: (value: T) => void;
  /** Resets to the initial value. Components are notified slightly later, so it may be called while React renders. */
  readonly reset: () => void;
  /** The value as a hook: prerendered HTML's until hydration. */
  readonly use: () => T;
}

/**
 * Creates a store.
 * @param prerendered the value in prerendered HTML
 * @param read returns the initial value in the browser, called on first use; `prerendered` by default
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
