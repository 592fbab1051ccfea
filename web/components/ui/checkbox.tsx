import { useId } from "react";
import type { ComponentProps, ReactNode } from "react";
import { clsx } from "clsx";

export type CheckboxProps = Omit<ComponentProps<"input">, "type" | "className" | "size" | "id"> & {
  label: ReactNode;
};

/** A checkbox with its label; both are clickable. */
export function Checkbox({ label, ...input }: CheckboxProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 min-h-9 items-start gap-2.5 py-1.5 has-disabled:opacity-45 pointer-coarse:min-h-11 pointer-coarse:py-2.5">
      <span className="relative mt-[0.2rem] size-4.5 shrink-0">
        <input
          {...input}
          id={id}
          type="checkbox"
          className={clsx(
            "peer size-full cursor-pointer appearance-none rounded-sm border border-edge bg-surface disabled:cursor-not-allowed",
            "transition-colors duration-(--duration-quick) checked:border-ink checked:bg-ink hover:border-muted",
            "forced-colors:appearance-auto",
          )}
        />
        <svg
          viewBox="0 0 18 18"
          fill="none"
          aria-hidden="true"
          className="pointer-events-none invisible absolute inset-0 size-full text-paper peer-checked:visible forced-colors:hidden"
        >
          <path
            d="M4.5 9.4 7.6 12.5 13.5 6"
            stroke="currentColor"
            strokeWidth="1.75"
            strokeLinecap="round"
            strokeLinejoin="round"
          />
        </svg>
      </span>
      <label htmlFor={id} className="min-w-0 cursor-pointer text-base text-ink">
        {label}
      </label>
    </div>
  );
}
