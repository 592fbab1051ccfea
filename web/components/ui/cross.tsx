/** Plus and minus of a `<details class="group">`, drawn from two hairlines. */
export function Cross() {
  return (
    <span aria-hidden="true" className="relative mr-0.5 size-3.5 shrink-0 text-muted group-hover:text-ink">
      <span className="absolute inset-x-0 top-1/2 -translate-y-1/2 border-t border-current" />
      <span className="absolute inset-y-0 left-1/2 -translate-x-1/2 border-l border-current transition-transform group-open:scale-y-0" />
    </span>
  );
}
