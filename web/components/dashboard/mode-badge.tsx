import { useMode } from "../../lib/mode.ts";
import { Badge } from "../ui/badge.tsx";

/** Which side of the account the dashboard shows. */
export function ModeBadge() {
  const mode = useMode();
  return <Badge tone={mode}>{mode === "live" ? "Live mode" : "Test mode"}</Badge>;
}
