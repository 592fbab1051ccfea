import { useId } from "react";
import type { ReactNode } from "react";
import { clsx } from "clsx";

interface SegmentedOption<Value extends string> {
  value: Value;
  label: string;
  /** Replaces it on a phone. */
  short?: string;
  /** Before the text, or instead of it with `iconsOnly`. */
  icon?: ReactNode;
}

export interface SegmentedProps<Value extends string> {
  /** What is being selected: the group's accessible name, not shown. */
  label: string;
  options: readonly SegmentedOption<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** sm 36 px, md 44 px, as buttons and fields; by touch each choice is 44 px high. */
  size?: "sm" | "md" | undefined;
  /** Shows the icons alone; the labels stay as names. */
  iconsOnly?: boolean | undefined;
  className?: string | undefined;
}

/** A few options side by side, one of them selected: radio buttons styled as one control. */
export function Segmented<Value extends string>({
  label,
  options,
  value,
  onChange,
  size = "md",
  iconsOnly,
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
          title={iconsOnly ? option.label : undefined}
          className={clsx(
            "relative inline-flex flex-1 cursor-pointer items-center justify-center gap-1.5 rounded-[0.375rem] border",
            "border-clear font-medium whitespace-nowrap text-muted select-none hover:text-ink pointer-coarse:min-h-11",
            "transition-colors duration-(--duration-quick)",
            "has-checked:border-edge has-checked:bg-surface has-checked:text-ink",
            "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ink",
            size === "sm" ? "min-h-7.5 text-sm" : "min-h-9.5 text-base",
            iconsOnly
              ? clsx("pointer-coarse:min-w-11", size === "sm" ? "min-w-8" : "min-w-10")
              : size === "sm"
                ? "px-1.5 min-[23rem]:px-2.5"
                : "px-3.5",
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
          {option.icon}
          {iconsOnly || option.short ? (
            <span className={iconsOnly ? "sr-only" : "max-sm:sr-only"}>{option.label}</span>
          ) : (
            option.label
          )}
          {option.short && (
            <span aria-hidden="true" className="sm:hidden">
              {option.short}
            </span>
          )}
        </label>
      ))}
    </fieldset>
  );
}
