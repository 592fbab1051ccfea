/** Puts the focus on the page's heading: what had it is about to go. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>("main h1")?.focus();
}
