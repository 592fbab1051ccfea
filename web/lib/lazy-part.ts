import { lazy } from "react";
import type { ComponentType } from "react";

/**
 * A part of a page whose code comes when the part first shows. If it can't be loaded, nothing shows in its place, and
 * the handler of `vite:preloadError` says so: a rejected import would take the whole page down.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return lazy(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  );
}
