import { clsx } from "clsx";
import type { ComponentProps, ReactNode } from "react";

/** Cells side by side, four if its class has room for them. The gaps between them are the hairlines. */
export function Cells({ className, ...props }: ComponentProps<"dl">) {
  return (
    <dl
      className={clsx(
        "grid grid-cols-2 gap-px overflow-hidden border-line bg-line forced-colors:bg-[CanvasText]",
        className,
      )}
      {...props}
    />
  );
}

interface FiguresProps {
  readonly figures: readonly { readonly name: string; readonly value: ReactNode; readonly note?: ReactNode }[];
}

/** Figures side by side, each with a note. */
export function Figures({ figures }: FiguresProps) {
  return (
    <Cells className="rounded-lg border sm:grid-cols-4">
      {figures.map(({ name, value, note }) => (
        <div key={name} className="min-w-0 bg-surface px-4 py-3 sm:p-5">
          <dt className="label">{name}</dt>
          <dd className="mt-1.5 text-2xl tracking-[-0.02em] text-ink tabular-nums">{value}</dd>
          {note && <dd className="mt-1 text-sm text-muted tabular-nums">{note}</dd>}
        </div>
      ))}
    </Cells>
  );
}
