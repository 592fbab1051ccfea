const KEYS = {
  vertical: { next: "ArrowDown", previous: "ArrowUp" },
  horizontal: { next: "ArrowRight", previous: "ArrowLeft" },
} as const;

/**
 * Where a key moves among `count` items in a row, wrapping around.
 * @param at the focused position, from 0; -1 for none
 * @returns the next position; undefined for keys that don't move
 */
export function destination(axis: keyof typeof KEYS, key: string, at: number, count: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return count - 1;
  if (key === KEYS[axis].next) return (at + 1) % count;
  if (key === KEYS[axis].previous) return (Math.max(at, 0) - 1 + count) % count;
  return undefined;
}
