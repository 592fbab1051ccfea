import { useId } from "react";
import { clsx } from "clsx";

interface SegmentedOption<Value extends string> {
  value: Value;
  label: string;
  /** Replaces it on a phone. */
  short?: string;
  /** How much there is of it, after the label. */
  count?: string;
}

interface SegmentedProps<Value extends string> {
  /** What is being selected: the group's accessible name, not shown. */
  label: string;
  options: readonly SegmentedOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** sm 36 px, md 44 px, as buttons and fields; by touch each choice is 44 px high. */
  size?: "sm" | "md" | undefined;
  className?: string | undefined;
}

/** A few options side by side, one of them selected: radio buttons styled as one control. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  size = "md",
  className,
}: SegmentedProps<Value>) {
  const name = useId();
  return (
    <fieldset
      data-needs-script
      className={clsx("inline-flex max-w-full rounded-md border border-line bg-sunken p-0.5", className)}
    >
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={clsx(
            "relative inline-flex flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-[0.375rem] border",
            "border-clear font-medium whitespace-nowrap text-muted select-none hover:text-ink pointer-coarse:min-h-11",
            "transition-colors duration-(--duration-quick)",
            "has-checked:border-edge has-checked:bg-surface has-checked:text-ink",
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink",
            size === "sm" ? "min-h-7.5 px-1.5 text-sm min-[23rem]:px-2.5" : "min-h-9.5 px-3.5 text-base",
          )}
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-[inherit] appearance-none opacity-0"
          />
          {option.short ? <span className="max-sm:sr-only">{option.label}</span> : option.label}
          {option.short && (
            <span aria-hidden="true" className="sm:hidden">
              {option.short}
            </span>
          )}
          {option.count !== undefined && <span className="text-sm text-muted tabular-nums">{option.count}</span>}
        </label>
      ))}
    </fieldset>
  );
}
