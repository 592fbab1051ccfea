import type { ReactNode } from "react";
import { clsx } from "clsx";

export type BadgeTone = "neutral" | "verified" | "possible" | "invalid" | "test" | "live";

const TONES: Record<BadgeTone, string> = {
  neutral: "border-line text-muted",
  verified: "border-signal/45 text-signal",
  possible: "border-possible/45 text-possible",
  invalid: "border-invalid/45 text-invalid",
  test: "border-dashed border-edge text-soft",
  live: "border-ink bg-ink text-paper",
};

/** A different mark for each state, so that color is never the only difference. */
const MARKS: Partial<Record<BadgeTone, string>> = {
  verified: "M2 6.4 4.8 9.2 10 3.4",
  possible: "M1.8 7.2C3.2 5 4.6 5 6 6.2S8.8 7.2 10.2 5",
  invalid: "M3 3l6 6M9 3 3 9",
};

export interface BadgeProps {
  tone?: BadgeTone | undefined;
  className?: string | undefined;
  children: ReactNode;
}

/** A word about a state. Green means "verified" and nothing else. */
export function Badge({ tone = "neutral", className, children }: BadgeProps) {
  const mark = MARKS[tone];
  return (
    <span
      className={clsx(
        "inline-flex h-5.5 shrink-0 items-center gap-1 rounded-sm border px-1.5 font-mono text-xs whitespace-nowrap",
        TONES[tone],
        className,
      )}
    >
      {mark && (
        <svg viewBox="0 0 12 12" fill="none" aria-hidden="true" className="-ml-0.5 size-3">
          <path d={mark} stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" strokeLinejoin="round" />
        </svg>
      )}
      {children}
    </span>
  );
}
