/**
 * A ref: the element is a tab stop while its content doesn't fit, because otherwise a keyboard couldn't scroll it, and
 * only then.
 */
export function focusWhileScrolling(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  const observer = new ResizeObserver(() => {
    if (element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  });
  observer.observe(element);
  // Its content can become wider while the element doesn't.
  for (const child of element.children) observer.observe(child);
  return () => observer.disconnect();
}
