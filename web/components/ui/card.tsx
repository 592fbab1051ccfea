import type { ComponentProps, ReactNode } from "react";
import { clsx } from "clsx";

export type CardProps = ComponentProps<"div"> & {
  /** "none" for tables and code that reach the edge. */
  padding?: "none" | "md" | undefined;
};

/** A surface with hairline borders. */
export function Card({ padding = "md", className, ...rest }: CardProps) {
  return (
    <div
      {...rest}
      className={clsx("min-w-0 rounded-lg border border-line bg-surface", padding === "md" && "p-5", className)}
    />
  );
}

export interface CardHeaderProps {
  /** A heading element of the right level: `<h2>Keys</h2>`. */
  title: ReactNode;
  description?: ReactNode;
  /** Controls at the end of the line. */
  actions?: ReactNode;
  className?: string | undefined;
}

/** The heading of a card with `padding="none"`: title, description, actions; a hairline below. */
export function CardHeader({ title, description, actions, className }: CardHeaderProps) {
  return (
    <div
      className={clsx(
        "flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-b border-line px-5 py-4",
        className,
      )}
    >
      <div className="min-w-0 flex-1 basis-36">
        <div className="font-medium text-ink">{title}</div>
        {description && <p className="text-sm text-muted">{description}</p>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
    </div>
  );
}
