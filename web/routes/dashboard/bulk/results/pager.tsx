import { Button } from "../../../../components/ui/button.tsx";

export interface PagerProps {
  /** From 0. */
  page: number;
  pages: number;
  size: number;
  total: number;
  onChange: (page: number) => void;
}

/** Which rows are shown of how many, and the way to the others. */
export function Pager({ page, pages, size, total, onChange }: PagerProps) {
  if (total === 0) return null;
  const first = page * size + 1;
  const last = Math.min(total, first + size - 1);
  return (
    <nav
      aria-label="Pages of results"
      className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-5 py-3"
    >
      <output className="label">
        {first.toLocaleString("en-US")}–{last.toLocaleString("en-US")} of {total.toLocaleString("en-US")}
      </output>
      {pages > 1 && (
        <div className="flex gap-2">
          <Button variant="secondary" size="sm" disabled={page === 0} onClick={() => onChange(page - 1)}>
            Previous
          </Button>
          <Button variant="secondary" size="sm" disabled={page === pages - 1} onClick={() => onChange(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </nav>
  );
}
