import { useSyncExternalStore } from "react";
import { readStored, writeStored } from "./stored.ts";
import type { Storage } from "./stored.ts";

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

interface KeptValue<T> {
  /** Its key in the browser's storage. */
  readonly key: string;
  readonly prerendered: T;
  /** Reads what is stored; null if nothing is. */
  readonly parse: (text: string | null) => T;
  /** Writes what to store; null for nothing. */
  readonly format: (value: T) => string | null;
  readonly storage?: Storage;
}

/** Creates a store whose value the browser keeps, unless storage is blocked: then this page does. Follows other tabs. */
export function createKeptStore<T extends {} | null>(value: KeptValue<T>): Store<T> {
  const { key, prerendered, parse, format, storage } = value;
  const store = createStore(prerendered, () => parse(readStored(key, storage)));
  // Permanently: another tab's choice counts even while nothing here shows it. There is no window during the build.
  globalThis.window?.addEventListener("storage", (event) => {
    // A null key means that all of the storage was cleared.
    if (event.key === key || event.key === null) store.reset();
  });
  return {
    ...store,
    set(next) {
      writeStored(key, format(next), storage);
      store.set(next);
    },
  };
}
