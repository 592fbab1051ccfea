const SCHEME_OR_HOST = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Whether an address leads away from this origin, or to another program (`mailto:`, `tel:`). */
export function isExternal(href: string): boolean {
  return SCHEME_OR_HOST.test(href);
}

/**
 * Whether the router knows the address as a page. Anchors on the same page, the API's answers and files (a dot in the last segment)
 * are loaded by the browser itself.
 */
export function isPage(href: string): boolean {
  if (isExternal(href) || href.startsWith("#")) return false;
  const [path = ""] = href.split(/[?#]/, 1);
  return !path.startsWith("/api/") && !path.slice(path.lastIndexOf("/")).includes(".");
}
