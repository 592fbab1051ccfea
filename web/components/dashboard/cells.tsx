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

/** Figures side by side. */
export function Figures({ figures }: { figures: readonly { readonly name: string; readonly value: ReactNode }[] }) {
  return (
    <Cells className="rounded-lg border sm:grid-cols-4">
      {figures.map(({ name, value }) => (
        <div key={name} className="min-w-0 bg-surface p-4 sm:p-5">
          <dt className="label">{name}</dt>
          <dd className="mt-1.5 text-2xl tracking-[-0.02em] text-ink tabular-nums">{value}</dd>
        </div>
      ))}
    </Cells>
  );
}
