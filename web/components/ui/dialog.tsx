import { useRef } from "react";
import type { ReactElement, ReactNode, RefObject } from "react";
import { AlertDialog as BaseAlert } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import X from "lucide-react/icons/x";
import { IconButton } from "./button.tsx";
import { Failure } from "./notice.tsx";

type Align = "middle" | "top" | "side";

interface Content {
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** A button below that just closes. */
  cancel?: ReactElement | undefined;
  /** Buttons beside it, the primary one last. */
  actions?: ReactNode;
  /** Focused on opening, instead of the popup. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** sm 26 rem, md 34 rem; never wider than the screen. */
  size?: "sm" | "md" | undefined;
  /**
   * top for a search: its height changes during use, so it stays in place, and its first field says what its title would;
   * side for the details of what is beside it.
   */
  align?: Align | undefined;
}

export interface DialogProps extends Content {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** false: neither Escape nor a click outside closes it, and there is no close button. */
  dismissible?: boolean | undefined;
  /** What Escape does while the dialog is not dismissible. Nothing by default. */
  onEscape?: (() => void) | undefined;
}

// As high as windows: the backdrop of a second one covers the first.
const BACKDROP = clsx(
  "fixed inset-0 z-50 bg-scrim transition-opacity duration-(--duration-quick)",
  "data-ending-style:opacity-0 data-starting-style:opacity-0",
);

const PLACES: Record<Align, string> = {
  middle: "m-auto max-h-full",
  top: "mx-auto mb-auto max-h-[min(100%,36rem)] md:[@media(height>=46rem)]:mt-[12dvh]",
  // A phone has no side.
  side: "m-auto max-h-full md:my-0 md:mr-0 md:min-h-full md:rounded-none md:border-y-0 md:border-r-0 md:data-starting-style:translate-x-4 md:data-starting-style:translate-y-0",
};

function popupClass(size: "sm" | "md", align: Align): string {
  return clsx(
    // In a window lower than a phone on its side, all of it scrolls; otherwise only its content, which gives way first.
    "relative flex w-full flex-col overflow-y-auto overscroll-contain rounded-lg border border-line bg-surface text-ink shadow-float outline-none",
    "transition-[opacity,translate] duration-(--duration-quick)",
    "data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0",
    size === "sm" ? "max-w-[26rem]" : "max-w-[34rem]",
    PLACES[align],
  );
}

interface DialogActionsProps {
  cancel?: ReactElement | undefined;
  children?: ReactNode;
  className?: string | undefined;
}

/**
 * The buttons of a form inside a dialog. They stay in sight while its content scrolls below them; the negative margin is
 * the content's padding.
 */
export function FormActions({ problem, ...buttons }: DialogActionsProps & { problem?: ReactNode }) {
  return (
    <div className="sticky -bottom-5 mt-3 -mb-5 bg-surface pt-3 pb-5 sm:-bottom-6 sm:-mb-6 sm:pb-6">
      <Failure className="mb-3">{problem}</Failure>
      <DialogActions {...buttons} />
    </div>
  );
}

/** A dialog's buttons. */
function DialogActions({ cancel, children, className }: DialogActionsProps) {
  return (
    <div className={clsx("flex flex-col-reverse gap-2 sm:flex-row sm:justify-end", className)}>
      {cancel && <Base.Close render={cancel} />}
      {children}
    </div>
  );
}

const SIDES = "px-5 sm:px-6";

/** What both kinds of dialog show. `cross` is in the corner, and closes. */
function Window({
  title,
  description,
  children,
  cancel,
  actions,
  initialFocus,
  size = "sm",
  align = "middle",
  cross = false,
  ref,
}: Content & { cross?: boolean; ref?: RefObject<HTMLDivElement | null> }) {
  const hasActions = Boolean(cancel ?? actions);
  return (
    <Base.Portal>
      <Base.Backdrop className={BACKDROP} />
      {/* On a phone, toasts appear at the top, above the window; the one about a new key takes more lines. */}
      <Base.Viewport
        className={clsx(
          "fixed inset-0 z-50 flex px-3 pt-12 pb-3 max-md:has-data-api-key:pt-26 sm:px-6",
          align === "side" ? "md:p-0" : "md:py-6",
        )}
      >
        <Base.Popup ref={ref} initialFocus={initialFocus} className={popupClass(size, align)}>
          <div className={align === "top" ? "sr-only" : clsx(SIDES, "pt-5 pb-4 sm:pt-6", cross && "pr-14!")}>
            <Base.Title className="text-xl text-ink">{title}</Base.Title>
            {description && <Base.Description className="mt-2 text-base text-soft">{description}</Base.Description>}
          </div>
          {children && (
            <div
              className={clsx(
                SIDES,
                "min-h-0 pb-5 sm:pb-6 [@media(height<24rem)]:shrink-0",
                align === "top"
                  ? "flex flex-col pt-5 sm:pt-6"
                  : "scroll-pb-32 overflow-y-auto overscroll-contain pt-1 sm:scroll-pb-24",
              )}
            >
              {children}
            </div>
          )}
          {hasActions && (
            <DialogActions
              cancel={cancel}
              className={clsx(SIDES, "py-4", children ? "border-t border-line" : "pt-1 sm:pb-6")}
            >
              {actions}
            </DialogActions>
          )}
          {cross && (
            <Base.Close
              render={
                <IconButton
                  label="Close"
                  size="sm"
                  className={clsx(
                    "absolute! right-3 text-muted",
                    align === "top" ? "top-6 sm:top-7 max-sm:pointer-coarse:top-5" : "top-3 sm:top-4",
                  )}
                />
              }
            >
              <X aria-hidden="true" className="size-4" strokeWidth={1.5} />
            </Base.Close>
          )}
        </Base.Popup>
      </Base.Viewport>
    </Base.Portal>
  );
}

/** A window over the page: traps and restores the focus; Escape and a click outside close it. */
export function Dialog({
  open,
  onOpenChange,
  dismissible = true,
  onEscape,
  initialFocus,
  size = "md",
  ...content
}: DialogProps) {
  // By default the popup itself gets focus: the first control is often not the right one.
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root
      open={open}
      disablePointerDismissal={!dismissible}
      onOpenChange={(next, details) => {
        if (dismissible || details.reason !== "escape-key") return onOpenChange(next);
        details.cancel();
        onEscape?.();
      }}
    >
      <Window {...content} ref={popup} initialFocus={initialFocus ?? popup} size={size} cross={dismissible} />
    </Base.Root>
  );
}

export type AlertDialogProps = Omit<DialogProps, "dismissible" | "onEscape"> & {
  /** What is about to happen, in a sentence. */
  description: ReactNode;
};

/** A modal question: a click outside does not close it; Escape means no. */
export function AlertDialog({ open, onOpenChange, ...content }: AlertDialogProps) {
  return (
    <BaseAlert.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Window {...content} />
    </BaseAlert.Root>
  );
}
