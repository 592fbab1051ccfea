/** Where the browser keeps a text: for the site, or for one tab. */
export type Storage = "localStorage" | "sessionStorage";

/** A text that this browser keeps; null if there is none, or storage is blocked. */
export function readStored(key: string, storage: Storage = "localStorage"): string | null {
  try {
    return globalThis[storage].getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text in this browser, or with null nothing. Returns false if storage is blocked. */
export function writeStored(key: string, text: string | null, storage: Storage = "localStorage"): boolean {
  try {
    if (text === null) globalThis[storage].removeItem(key);
    else globalThis[storage].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
