import { useSyncExternalStore } from "react";
import { onTokenChange, readToken } from "./token.ts";

/** The session token; null when nobody is signed in, undefined in prerendered HTML, which cannot know. */
export function useSessionToken(): string | null | undefined {
  return useSyncExternalStore<string | null | undefined>(onTokenChange, readToken, () => undefined);
}
