const TIMEOUT_MS = 3_000;

/** A connection to the inspector of an isolate. */
export interface Inspector {
  /** Bytes that the isolate's heap holds after all garbage has been collected; null when it does not say so in time. */
  heapInUse(): Promise<number | null>;
  close(): void;
}

/**
 * Connects to the inspector of an isolate.
 * @throws Error when nothing listens there
 */
export async function connectInspector(url: string): Promise<Inspector> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve, { once: true });
    socket.addEventListener("error", () => reject(new Error("The inspector cannot be reached.")), { once: true });
  });
  const waiting = new Map<number, (result: unknown) => void>();
  socket.addEventListener("message", ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown };
    if (id !== undefined) waiting.get(id)?.(result);
  });
  let lastId = 0;

  function ask(method: string): Promise<unknown> {
    const id = (lastId += 1);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(null), TIMEOUT_MS);
      waiting.set(id, (result) => {
        clearTimeout(timer);
        waiting.delete(id);
        resolve(result);
      });
      socket.send(JSON.stringify({ id, method }));
    });
  }

  return {
    async heapInUse() {
      if ((await ask("HeapProfiler.collectGarbage")) === null) return null;
      const usage = (await ask("Runtime.getHeapUsage")) as { usedSize?: number } | null;
      return usage?.usedSize ?? null;
    },
    close: () => socket.close(),
  };
}
