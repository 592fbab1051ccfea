import { endSession } from "../../../lib/session/end-session.ts";
import { askUnsaved } from "../../../lib/session/unsaved.ts";
import { toast } from "../../../lib/toast.ts";

/** Ends the session in this browser, in every tab. Where something would be lost, only after a question. */
export function logOut(): void {
  askUnsaved(() => {
    endSession("/login");
    toast.success("Logged out");
  });
}
