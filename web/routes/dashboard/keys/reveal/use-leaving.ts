import { useEffect, useState } from "react";
import { useBlocker } from "react-router";

export interface Leaving {
  /** Whether to ask: somebody is about to lose a key that was never copied. */
  readonly asking: boolean;
  /** Somebody wants to close. Closes at once what has been copied. */
  close(): void;
  stay(): void;
  leave(): void;
}

/** Keeps a key from being lost by accident: by the button, by the browser's Back, by a link, by closing the tab. */
export function useLeaving(copied: boolean, onClose: () => void): Leaving {
  const [wantsToClose, setWantsToClose] = useState(false);
  const blocker = useBlocker(!copied);

  useEffect(() => {
    if (copied) return;
    // The browser asks in words of its own.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [copied]);

  return {
    asking: wantsToClose || blocker.state === "blocked",
    close() {
      if (copied) onClose();
      else setWantsToClose(true);
    },
    stay() {
      setWantsToClose(false);
      if (blocker.state === "blocked") blocker.reset();
    },
    leave() {
      if (blocker.state === "blocked") blocker.proceed();
      onClose();
    },
  };
}
