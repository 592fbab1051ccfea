import { SITE_ORIGIN } from "./site-origin.ts";
import { createStore } from "./store.ts";

const origin = createStore(SITE_ORIGIN, () => window.location.origin);

/** The origin this page is served from; the configured one in prerendered HTML. */
export function useOrigin(): string {
  return origin.use();
}
