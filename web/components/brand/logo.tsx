import { Link } from "react-router";
import { Mark } from "./mark.tsx";

/** Mark and name, as a link to the landing page. */
export function Logo() {
  return (
    <Link to="/" className="inline-flex min-h-11 items-center gap-2.5 text-lg font-semibold tracking-[-0.03em]">
      <Mark className="w-7" />
      Checkline
    </Link>
  );
}
