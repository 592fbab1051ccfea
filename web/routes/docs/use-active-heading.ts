import { useEffect, useState } from "react";
import type { DocHeading } from "../../lib/doc-handle.ts";

/** Pixels below the window's upper edge where a heading becomes the one being read: just under where anchors come to rest. */
const LINE = 112;

function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight;
}

/** The last heading above the line; at the end of the page, where it can rise no further, the one that was asked for. */
function headingBeingRead(headings: readonly Element[]): string | null {
  const { scrollHeight } = document.documentElement;
  const atEnd = window.innerHeight + window.scrollY >= scrollHeight - 2;
  const asked = headings.find((heading) => `#${heading.id}` === window.location.hash);
  if (atEnd && asked && isInWindow(asked)) return asked.id;
  const above = headings.filter((heading) => heading.getBoundingClientRect().top <= LINE);
  return above.at(-1)?.id ?? null;
}

/** The id of the heading whose text is being read, null above the first. It follows the scroll. */
export function useActiveHeading(headings: readonly DocHeading[]): string | null {
  const [active, setActive] = useState<string | null>(null);
  useEffect(() => {
    const elements = headings.flatMap(({ id }) => document.getElementById(id) ?? []);
    const update = () => setActive(headingBeingRead(elements));
    const observer = new IntersectionObserver(update, { rootMargin: `-${LINE}px 0px 0px 0px`, threshold: [0, 1] });
    for (const element of elements) observer.observe(element);
    // The observer tells of headings that pass the line; this of jumps that end where they began to be seen.
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
