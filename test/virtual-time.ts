/** Virtual time for tests. */
export interface VirtualTime {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** Advances time, timer by timer, letting everything settle in between. */
  pass(ms: number): Promise<void>;
}

export function createVirtualTime(start = Date.UTC(2026, 0, 2, 12)): VirtualTime {
  const timers: { readonly at: number; readonly order: number; fire(): void }[] = [];
  let now = start;
  let made = 0;

  return {
    now: () => now,
    sleep: (ms) =>
      new Promise((resolve) => {
        timers.push({ at: now + ms, order: made++, fire: resolve });
      }),
    async pass(ms) {
      const until = now + ms;
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        timers.sort((a, b) => a.at - b.at || a.order - b.order);
        if (timers[0] === undefined || timers[0].at > until) break;
        const { at, fire } = timers.shift()!;
        now = at;
        fire();
      }
      now = until;
    },
  };
}
