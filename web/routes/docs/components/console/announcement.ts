import type { CallState } from "./call-state.ts";

/** One sentence on a call for those who listen to the page; it does not change while the seconds count down. */
export function announcement(state: CallState): string {
  switch (state.outcome) {
    case "idle":
      return "";
    case "calling":
      return "Asking…";
    case "unreachable":
      return "No answer arrived.";
    case "answered": {
      const { status, retryAfter } = state;
      const again =
        retryAfter === null ? "" : ` Try again in ${retryAfter} ${retryAfter === 1 ? "second" : "seconds"}.`;
      return `Status ${status}. The answer is below.${again}`;
    }
  }
}
