import { clsx } from "clsx";

/** A check mark that is drawn as it appears, in the current text color. */
export function DrawnCheck({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden="true" className={clsx("size-4", className)}>
      <path
        d="M4.5 12.5 9.5 17.5 20 7"
        pathLength={1}
        strokeDasharray={1}
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        className="animate-stroke"
      />
    </svg>
  );
}
