import { useSyncExternalStore } from "react";
import type { CSSProperties } from "react";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { Toaster as Sonner } from "sonner";
import { useTheme } from "../../lib/theme.ts";
import { DrawnCheck } from "./drawn-check.tsx";

const PHONE = "(width < 48rem)";

function watchWidth(onChange: () => void): () => void {
  const query = window.matchMedia(PHONE);
  query.addEventListener("change", onChange);
  return () => query.removeEventListener("change", onChange);
}

/** The container for toasts, which `lib/toast.ts` shows; once per page, anywhere. */
export function Toaster() {
  const theme = useTheme();
  const isPhone = useSyncExternalStore(
    watchWidth,
    () => window.matchMedia(PHONE).matches,
    () => false,
  );
  return (
    <Sonner
      theme={theme}
      // On a phone the next button is at the bottom.
      position={isPhone ? "top-center" : "bottom-right"}
      gap={8}
      // On a phone over the header: the page's title, which it may repeat, stays in sight.
      offset={isPhone ? 7 : 20}
      mobileOffset={{ top: 7, left: 12, right: 12 }}
      // Beside a dialog in a window 1280 px wide, and not over its corner.
      style={{ fontFamily: "inherit", "--width": "21rem" } as CSSProperties}
      icons={{
        success: <DrawnCheck className="size-4" />,
        error: <CircleAlert aria-hidden="true" className="size-4 text-invalid" strokeWidth={1.75} />,
      }}
      toastOptions={{
        unstyled: true,
        classNames: {
          // Behind the front one, only the edges show.
          toast:
            "[&[data-expanded=false][data-front=false]>*]:opacity-0 flex w-(--width) items-start gap-3 rounded-md border border-line bg-surface px-4 py-3 text-base text-ink shadow-float",
          icon: "flex h-6 shrink-0 items-center",
          content: "min-w-0",
          title: "font-medium",
          description: "text-sm text-soft!",
        },
      }}
    />
  );
}
