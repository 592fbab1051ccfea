import type { CSSProperties } from "react";

/** The tick that ends a verified number; stroked once after `delay` milliseconds. */
export function Tick({ className, delay = 0, style }: { className?: string; delay?: number; style?: CSSProperties }) {
  return (
    // Only an inline drawing can be stroked.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <svg viewBox="0 0 24 24" fill="none" role="img" aria-label="Valid" className={className} style={style}>
      <path
        d="M3 13.5l6 6.5L21.5 4"
        pathLength="1"
        strokeDasharray="1"
        stroke="var(--signal)"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="animate-stroke"
        style={{ animationDelay: `${delay}ms` }}
      />
    </svg>
  );
}
