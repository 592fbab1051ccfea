import { useEffect, useState } from "react";
import type { ComponentType } from "react";
import { onToasterWanted, wantToaster } from "../../lib/toast.ts";

/**
 * The place where toasts appear; once per page, anywhere. The code behind it arrives with the visitor's first press or key, or with
 * the first toast: a page that is only read never loads it, and the live region is there before it has something to announce.
 */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType>();

  useEffect(() => {
    const unsubscribe = onToasterWanted(() => {
      import("./toaster.tsx").then(
        (module) => setToaster(() => module.Toaster),
        () => {
          // Not loaded: the page works on, and the next toast tries again.
        },
      );
    });
    window.addEventListener("pointerdown", wantToaster, { once: true, passive: true });
    window.addEventListener("keydown", wantToaster, { once: true, passive: true });
    return () => {
      unsubscribe();
      window.removeEventListener("pointerdown", wantToaster);
      window.removeEventListener("keydown", wantToaster);
    };
  }, []);

  return Toaster && <Toaster />;
}
