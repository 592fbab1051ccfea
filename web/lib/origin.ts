import { useSyncExternalStore } from "react";
import { SITE_ORIGIN } from "./site-origin.ts";

function never(): () => void {
  return () => {};
}

/** The origin this page is served from; the configured one in prerendered HTML. */
export function useOrigin(): string {
  return useSyncExternalStore(
    never,
    () => window.location.origin,
    () => SITE_ORIGIN,
  );
}
