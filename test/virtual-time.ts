/** Virtual time for tests. */
export interface VirtualTime {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Advances time, timer by timer, letting everything settle in between. */
  pass(ms: number): Promise<void>;
}

export function createVirtualTime(start = Date.UTC(2026, 0, 2, 12)): VirtualTime {
  /** In the order in which they fire. */
  const timers: { readonly at: number; fire(): void }[] = [];
  let now = start;

  /** Adds a timer after all that fire at the same time or earlier. */
  function add(at: number, fire: () => void): void {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (timers[middle]!.at <= at) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, { at, fire });
  }

  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        add(now + ms, resolve);
      }),
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        if (timers[0] === undefined || timers[0].at > until) break;
        const { at, fire } = timers.shift()!;
        now = at;
        fire();
      }
      now = until;
    },
  };
}
