import type { ComponentProps } from "react";
import { clsx } from "clsx";
import { ChevronDown } from "lucide-react";
import { CONTROL, FieldFrame, useFieldIds } from "./field-frame.tsx";
import type { FieldTexts } from "./field-frame.tsx";

export type SelectProps = FieldTexts &
  Omit<ComponentProps<"select">, "className" | "multiple" | "size"> & {
    /** Of the whole field, label included. */
    className?: string | undefined;
  };

/** The browser's own select with its label, hint and error. Its children are `<option>`s. */
export function Select({ label, hideLabel, hint, error, aside, className, id: given, children, ...rest }: SelectProps) {
  const { id, control } = useFieldIds(given, { hint, error });
  return (
    <FieldFrame {...{ id, label, hideLabel, hint, error, aside, className }}>
      <div className="relative">
        <select {...rest} {...control} className={clsx(CONTROL, "cursor-pointer appearance-none truncate pr-10")}>
          {children}
        </select>
        <ChevronDown
          aria-hidden="true"
          strokeWidth={1.5}
          className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-muted"
        />
      </div>
    </FieldFrame>
  );
}
