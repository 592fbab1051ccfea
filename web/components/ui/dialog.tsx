import { useRef } from "react";
import type { ReactElement, ReactNode, RefObject } from "react";
import { AlertDialog as BaseAlert } from "@base-ui/react/alert-dialog";
import { Dialog as Base } from "@base-ui/react/dialog";
import { clsx } from "clsx";
import { X } from "lucide-react";
import { IconButton } from "./button.tsx";

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons below, the one that goes on last. Wrap one that only closes in `DialogClose`. */
  actions?: ReactNode;
  /** false: neither Escape nor a press outside closes it, and there is no cross; only `actions` do. */
  dismissible?: boolean | undefined;
  /** What Escape does in place of nothing while the dialog is not dismissible. */
  onEscape?: (() => void) | undefined;
  /** Focused on opening, in place of the first thing that can be. */
  initialFocus?: RefObject<HTMLElement | null> | undefined;
  /** sm 26 rem, md 34 rem; never wider than the screen. */
  size?: "sm" | "md" | undefined;
}

const BACKDROP = clsx(
  "fixed inset-0 z-40 bg-ink/35 transition-opacity duration-(--duration-quick) dark:bg-sunken/75",
  "data-ending-style:opacity-0 data-starting-style:opacity-0",
);

function popupClass(size: "sm" | "md"): string {
  return clsx(
    "relative m-auto w-full rounded-lg border border-line bg-surface p-5 text-ink shadow-float outline-none sm:p-6",
    "transition-[opacity,translate] duration-(--duration-quick)",
    "data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0",
    size === "sm" ? "max-w-[26rem]" : "max-w-[34rem]",
  );
}

const VIEWPORT = "fixed inset-0 z-50 flex overflow-y-auto overscroll-contain p-3 sm:p-6";
const TITLE = "text-xl text-ink";
const DESCRIPTION = "mt-2 text-base text-soft";

function Actions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>;
}

/** A window over the page: the focus stays within and goes back where it was, Escape and a press outside close it. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  dismissible = true,
  onEscape,
  initialFocus,
  size = "md",
}: DialogProps) {
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
      <Base.Portal>
        <Base.Backdrop className={BACKDROP} />
        <Base.Viewport className={VIEWPORT}>
          {/* The popup itself takes the focus unless told otherwise: the first control is often not the one to press. */}
          <Base.Popup ref={popup} initialFocus={initialFocus ?? popup} className={popupClass(size)}>
            <Base.Title className={clsx(TITLE, dismissible && "pr-10")}>{title}</Base.Title>
            {description && <Base.Description className={DESCRIPTION}>{description}</Base.Description>}
            {children && <div className="mt-5">{children}</div>}
            {actions && <Actions>{actions}</Actions>}
            {dismissible && (
              <Base.Close
                render={<IconButton label="Close" size="sm" className="absolute! top-3 right-3 text-muted sm:top-4" />}
              >
                <X aria-hidden="true" className="size-4" strokeWidth={1.5} />
              </Base.Close>
            )}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** Makes the button within it close the `Dialog` around it. */
export function DialogClose({ children }: { children: ReactElement }) {
  return <Base.Close render={children} />;
}

export type AlertDialogProps = Omit<DialogProps, "dismissible" | "onEscape"> & {
  /** What is about to happen, in a sentence. */
  description: ReactNode;
};

/** A question that must be answered before anything else goes on: no press outside closes it; Escape means no. */
export function AlertDialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  initialFocus,
  size = "sm",
}: AlertDialogProps) {
  return (
    <BaseAlert.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <BaseAlert.Portal>
        <BaseAlert.Backdrop className={BACKDROP} />
        <BaseAlert.Viewport className={VIEWPORT}>
          <BaseAlert.Popup initialFocus={initialFocus} className={popupClass(size)}>
            <BaseAlert.Title className={TITLE}>{title}</BaseAlert.Title>
            <BaseAlert.Description className={DESCRIPTION}>{description}</BaseAlert.Description>
            {children && <div className="mt-5">{children}</div>}
            {actions && <Actions>{actions}</Actions>}
          </BaseAlert.Popup>
        </BaseAlert.Viewport>
      </BaseAlert.Portal>
    </BaseAlert.Root>
  );
}

/** Makes the button within it close the `AlertDialog` around it. */
export function AlertDialogClose({ children }: { children: ReactElement }) {
  return <BaseAlert.Close render={children} />;
}
