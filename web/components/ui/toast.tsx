import { useEffect, useState } from "react";
import type { ComponentType } from "react";
import { loadToaster, onLoadToaster } from "../../lib/toast.ts";

/**
 * The place where toasts appear; once per page, anywhere. The code behind it arrives with the visitor's first press or key, or with
 * the first toast: a page that is only read never loads it, and the live region is there before it has something to announce.
 */
export function Toasts() {
  const [Toaster, setToaster] = useState<ComponentType>();

  useEffect(() => {
    const unsubscribe = onLoadToaster(() => {
      import("./toaster.tsx").then(
        (module) => setToaster(() => module.Toaster),
        () => {
          // Not loaded: the page works on, and the next toast tries again.
        },
      );
    });
    window.addEventListener("pointerdown", loadToaster, { once: true, passive: true });
    window.addEventListener("keydown", loadToaster, { once: true, passive: true });
    return () => {
      unsubscribe();
      window.removeEventListener("pointerdown", loadToaster);
      window.removeEventListener("keydown", loadToaster);
    };
  }, []);

  return Toaster && <Toaster />;
}
