import type { QueryClient } from "@tanstack/react-query";
import { queries, USAGE } from "./queries.ts";

/** Usage goes through a queue that waits for more, up to some seconds, before it is counted. */
const LOOK_AGAIN_MS = [800, 2000, 3500, 5500];

let timers: ReturnType<typeof setTimeout>[] = [];

/** Reads anew what a verification changes, until it should be there: figures, quota, and when a key was last used. */
export function refreshUsageSoon(client: QueryClient): void {
  for (const timer of timers) clearTimeout(timer);
  timers = LOOK_AGAIN_MS.map((delay) =>
    setTimeout(() => {
      for (const queryKey of [USAGE, queries.keys.queryKey, queries.subscription.queryKey]) {
        void client.invalidateQueries({ queryKey });
      }
    }, delay),
  );
}
