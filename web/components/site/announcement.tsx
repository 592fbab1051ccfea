import ArrowRight from "lucide-react/icons/arrow-right";
import { Link } from "react-router";

/** One line above the header, until content/announcement.ts says that it's over. */
export function Announcement() {
  return (
    <aside aria-label="Announcement" className="announcement bg-(--night) text-sm text-(--night-text) print:hidden">
      <Link
        to="/docs/from-vonage-number-insight"
        className="page-width flex min-h-8 items-center justify-center gap-1.5 py-1 text-center hover:underline focus-visible:-outline-offset-4 focus-visible:outline-(--night-text)! pointer-coarse:min-h-11"
      >
        <span>
          Vonage Number Insight ends <span className="whitespace-nowrap">Feb 4, 2027.</span>{" "}
          <span className="whitespace-nowrap">
            Move to Checkline
            <ArrowRight aria-hidden="true" className="ml-1.5 inline size-3.5 align-[-0.15em]" />
          </span>
        </span>
      </Link>
    </aside>
  );
}
