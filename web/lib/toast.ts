type Listener = () => void;

let wanted = false;
const listeners = new Set<Listener>();

/** Has the toaster brought in, now or as soon as `Toasts` is on the page. */
export function loadToaster(): void {
  wanted = true;
  for (const listener of listeners) listener();
}

/** Calls back once the toaster is wanted: at once if it already is. Returns the unsubscription. */
export function onLoadToaster(listener: Listener): () => void {
  listeners.add(listener);
  if (wanted) listener();
  return () => listeners.delete(listener);
}

async function show(kind: "success" | "error", title: string, description?: string): Promise<void> {
  loadToaster();
  try {
    const { toast: sonner } = await import("sonner");
    // Kept by sonner until the toaster is there to show it.
    const isError = kind === "error";
    // The same failure again takes the place of the one before.
    sonner[kind](title, {
      ...(isError && { id: title }),
      ...(description && { description }),
      duration: isError ? 8000 : 4000,
    });
  } catch {
    // Offline before the first toast: there is no place to tell it.
  }
}

/** Short messages at the edge of the page, also read out. They may be called at any time, even before the toaster is there. */
export const toast = {
  success(title: string, description?: string): void {
    void show("success", title, description);
  },
  error(title: string, description?: string): void {
    void show("error", title, description);
  },
};
