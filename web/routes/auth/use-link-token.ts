import { useSyncExternalStore } from "react";
import { useSearchParams } from "react-router";

function never(): () => void {
  return () => {};
}

/** The token of the link that led here: null without one, undefined in prerendered HTML, which cannot know. */
export function useLinkToken(): string | null | undefined {
  const [query] = useSearchParams();
  const isHere = useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
  return isHere ? query.get("token")?.trim() || null : undefined;
}
