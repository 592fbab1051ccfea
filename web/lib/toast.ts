type Listener = () => void;

let wanted = false;
const listeners = new Set<Listener>();

/** Loads the toaster, now or as soon as `Toasts` is mounted. */
export function loadToaster(): void {
  wanted = true;
  for (const listener of listeners) listener();
}

/** Calls back once the toaster is needed: immediately if it already is. Returns the unsubscription. */
export function onLoadToaster(listener: Listener): () => void {
  listeners.add(listener);
  if (wanted) listener();
  return () => listeners.delete(listener);
}

/** The id of the newest error. */
let lastError: string | undefined;

async function show(kind: "success" | "error", title: string, description?: string): Promise<void> {
  loadToaster();
  const isError = kind === "error";
  // A success ends the error before it. Decided before loading, which may finish in another order.
  const ended = isError ? undefined : lastError;
  lastError = isError ? title : undefined;
  try {
    const { toast: sonner } = await import("sonner");
    if (ended !== undefined) sonner.dismiss(ended);
    // Queued by sonner until the toaster is there to show it. A repeated failure replaces the previous one.
    sonner[kind](title, {
      ...(isError && { id: title }),
      ...(description && { description }),
      duration: isError ? 8000 : 4000,
    });
  } catch {
    // Offline before the first toast: there is no way to show it.
  }
}

/**
 * Short messages at the edge of the page, also announced. May be called at any time, even before the toaster has
 * loaded.
 */
export const toast = {
  success(title: string, description?: string): void {
    void show("success", title, description);
  },
  error(title: string, description?: string): void {
    void show("error", title, description);
  },
};
