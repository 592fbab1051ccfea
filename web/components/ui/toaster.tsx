import { useSyncExternalStore } from "react";
import type { CSSProperties } from "react";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { Toaster as Sonner } from "sonner";
import { useTheme } from "../../lib/theme.ts";
import { DrawnCheck } from "./drawn-check.tsx";

const PHONE = "(width < 48rem)";
/** No room beside a dialog. */
const NARROW = "(width < 80rem)";

function watchWidth(onChange: () => void): () => void {
  const queries = [PHONE, NARROW].map((query) => window.matchMedia(query));
  for (const query of queries) query.addEventListener("change", onChange);
  return () => {
    for (const query of queries) query.removeEventListener("change", onChange);
  };
}

/** Away from the next button: on a phone it is at the bottom, and in a dialog at the right. */
function positionHere() {
  if (window.matchMedia(PHONE).matches) return "top-center";
  return window.matchMedia(NARROW).matches ? "bottom-left" : "bottom-right";
}

/** The container for toasts, which `lib/toast.ts` shows; once per page, anywhere. */
export function Toaster() {
  const theme = useTheme();
  const position = useSyncExternalStore(watchWidth, positionHere, () => "bottom-right" as const);
  return (
    <Sonner
      theme={theme}
      position={position}
      gap={8}
      // On a phone over the header: the page's title, which it may repeat, stays in sight.
      offset={position === "top-center" ? 7 : 20}
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
          actionButton: "text-link ml-auto min-h-6 shrink-0 font-medium pointer-coarse:min-h-11",
        },
      }}
    />
  );
}
