import { endSession } from "../../../lib/session/end-session.ts";
import { toast } from "../../../lib/toast.ts";

/** Ends the session in this browser, in every tab. */
export function logOut(): void {
  endSession("/login");
  toast.success("Logged out");
}
