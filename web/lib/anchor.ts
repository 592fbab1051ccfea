const MARGIN = 8;

export interface Placement {
  /** The side preferred; the other one is taken where there is no room. */
  side: "top" | "bottom";
  align: "start" | "center" | "end";
  /** Pixels between the two. */
  gap: number;
}

function place(anchor: Element, floating: HTMLElement, { side, align, gap }: Placement): void {
  const rect = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = floating;
  const { clientWidth, clientHeight } = document.documentElement;

  const below = rect.bottom + gap;
  const above = rect.top - gap - height;
  const fitsBelow = below + height <= clientHeight - MARGIN;
  const fitsAbove = above >= MARGIN;
  const top = side === "bottom" ? (fitsBelow || !fitsAbove ? below : above) : fitsAbove || !fitsBelow ? above : below;

  const lefts = { start: rect.left, center: rect.left + (rect.width - width) / 2, end: rect.right - width };
  const left = Math.max(MARGIN, Math.min(lefts[align], clientWidth - width - MARGIN));

  floating.style.inset = `${Math.round(top)}px auto auto ${Math.round(left)}px`;
  floating.style.margin = "0";
}

/**
 * Keeps an open popover (`position: fixed`, in the top layer) beside its anchor while pages and boxes scroll, always inside the
 * window. Popovers are never clipped and never move the page, so nothing more than this is needed.
 *
 * @returns stops following
 */
export function follow(anchor: Element, floating: HTMLElement, placement: Placement): () => void {
  const update = () => place(anchor, floating, placement);
  update();
  window.addEventListener("scroll", update, { capture: true, passive: true });
  window.addEventListener("resize", update);
  return () => {
    window.removeEventListener("scroll", update, { capture: true });
    window.removeEventListener("resize", update);
  };
}
