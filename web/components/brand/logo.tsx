import { Link } from "react-router";

/** The line that ends in a check, in the current text color. `pathLength` lets `animate-stroke` draw it. */
const CHECK_LINE = "M2 11h13l4.5 6L30 3.5";

/** The mark alone: decoration next to a name, so hidden from screen readers. */
function Mark() {
  return (
    <svg viewBox="0 0 32 20" width="28" height="17.5" fill="none" aria-hidden="true" className="text-signal">
      <path d={CHECK_LINE} stroke="currentColor" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}

/** Mark and name, as a link to the landing page. */
export function Logo() {
  return (
    <Link to="/" className="inline-flex min-h-11 items-center gap-2.5 text-lg font-medium tracking-[-0.03em]">
      <Mark />
      Checkline
    </Link>
  );
}
