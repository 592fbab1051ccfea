import { clsx } from "clsx";
import type { ComponentProps, MouseEvent } from "react";
import { SiteLink } from "./link.tsx";
import type { SiteLinkProps } from "./link.tsx";

/** A spinner in the current text color. It has no label: describe the wait in text nearby. */
export function Spinner({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 16 16" fill="none" aria-hidden="true" className={clsx("size-4 animate-spin", className)}>
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeOpacity="0.25" strokeWidth="1.5" />
      <path d="M14.25 8A6.25 6.25 0 0 0 8 1.75" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
    </svg>
  );
}

export interface ButtonLook {
  /** primary: ink background, one per view. secondary: an outline. quiet: text only. danger: destructive. */
  variant?: "primary" | "secondary" | "quiet" | "danger" | undefined;
  /** sm 36 px (44 by touch), md 44 px, lg 48 px. */
  size?: "sm" | "md" | "lg" | undefined;
  /** As wide as high, for a lone icon. */
  square?: boolean | undefined;
}

const VARIANTS = {
  primary: "border-transparent bg-ink text-paper hover:bg-soft",
  secondary: "border-edge bg-surface text-ink hover:bg-sunken",
  quiet: "border-transparent text-ink hover:bg-sunken",
  danger: "border-transparent bg-danger text-[#fff] hover:bg-danger/88",
};

const SIZES = {
  sm: "min-h-9 gap-1.5 text-sm pointer-coarse:min-h-11",
  md: "min-h-11 gap-2 text-base",
  lg: "min-h-12 gap-2.5 text-base",
};

const PADDINGS = { sm: "px-3", md: "px-4", lg: "px-6" };
const WIDTHS = { sm: "w-9 pointer-coarse:w-11", md: "w-11", lg: "w-12" };

/** A button's classes, for elements that can't be a `Button` (a menu's trigger, a `<summary>`). */
export function buttonClass({ variant = "primary", size = "md", square = false }: ButtonLook = {}): string {
  return clsx(
    "relative inline-flex shrink-0 items-center justify-center rounded-md border py-1 text-center font-medium select-none",
    "leading-tight transition-colors duration-(--duration-quick)",
    "disabled:cursor-not-allowed disabled:border-edge disabled:bg-transparent disabled:text-muted forced-colors:border-[ButtonText]",
    VARIANTS[variant],
    SIZES[size],
    square ? WIDTHS[size] : PADDINGS[size],
  );
}

type ButtonProps = ComponentProps<"button"> &
  ButtonLook & {
    /** Work is in progress: a spinner replaces the text, and clicks (and form submissions) do nothing. */
    busy?: boolean | undefined;
  };

/** A button. `type` is "button" by default. */
export function Button({
  variant,
  size = "md",
  square,
  busy = false,
  type = "button",
  className,
  onClick,
  children,
  ...rest
}: ButtonProps) {
  function press(event: MouseEvent<HTMLButtonElement>) {
    if (busy) event.preventDefault();
    else onClick?.(event);
  }
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || rest["aria-disabled"]}
      aria-busy={busy || undefined}
      onClick={press}
      className={clsx(buttonClass({ variant, size, square }), busy && "cursor-progress!", className)}
    >
      {/* Only made transparent: the width and the name stay. */}
      <span className={clsx("inline-flex items-center justify-center gap-[inherit]", busy && "opacity-0")}>
        {children}
      </span>
      {busy && <Spinner className="absolute" />}
    </button>
  );
}

type ButtonLinkProps = SiteLinkProps & ButtonLook;

/** A link that looks like a button. For navigation; use `Button` for actions. */
export function ButtonLink({ variant, size, square, className, ...rest }: ButtonLinkProps) {
  return <SiteLink {...rest} className={clsx(buttonClass({ variant, size, square }), className)} />;
}

type IconButtonProps = Omit<ButtonProps, "square" | "aria-label"> & {
  /** What it does: the accessible name. */
  label: string;
};

/** An icon-only button. Quiet by default. */
export function IconButton({ label, variant = "quiet", ...rest }: IconButtonProps) {
  return <Button {...rest} variant={variant} square aria-label={label} />;
}
