import { useEffect, useState } from "react";

/** Pixels below the window's top where a heading becomes the current one: just below where anchors come to rest. */
const LINE = 160;

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** The last heading above the line, or else the first; at the end of the page, where it can rise no further, the requested one. */
function headingBeingRead(headings: readonly Element[]): string | null {
  const { scrollHeight } = document.documentElement;
  const atEnd = window.innerHeight + window.scrollY >= scrollHeight - 2;
  const target = headings.find((heading) => `#${heading.id}` === window.location.hash);
  if (atEnd && target && isInWindow(target)) return target.id;
  const above = headings.filter((heading) => heading.getBoundingClientRect().top <= LINE);
  return (above.at(-1) ?? headings[0])?.id ?? null;
}

/** The current heading's id; null before the first paint. Follows the scroll. `headings` must stay the same array. */
export function useActiveHeading(headings: readonly { readonly id: string }[]): string | null {
  const [active, setActive] = useState<string | null>(null);
  useEffect(() => {
    const elements = headings.flatMap(({ id }) => document.getElementById(id) ?? []);
    const update = () => setActive(headingBeingRead(elements));
    const observer = new IntersectionObserver(update, { rootMargin: `-${LINE}px 0px 0px 0px`, threshold: [0, 1] });
    for (const element of elements) observer.observe(element);
    // The observer reports headings that cross the line; this handles jumps that end where they began to be visible.
    window.addEventListener("scrollend", update);
    window.addEventListener("hashchange", update);
    return () => {
      observer.disconnect();
      window.removeEventListener("scrollend", update);
      window.removeEventListener("hashchange", update);
    };
  }, [headings]);
  return active;
}
