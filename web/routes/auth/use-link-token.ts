import { useSearchParams } from "react-router";
import { createStore } from "../../lib/store.ts";

const browser = createStore(false, () => true);

/** The token of the link that led here: null without one, undefined in prerendered HTML, which cannot know. */
export function useLinkToken(): string | null | undefined {
  const [query] = useSearchParams();
  const isHere = browser.use();
  return isHere ? query.get("token")?.trim() || null : undefined;
}
