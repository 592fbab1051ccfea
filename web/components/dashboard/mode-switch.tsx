import { chooseMode, useMode } from "../../lib/mode.ts";
import { Segmented } from "../ui/segmented.tsx";

export const MODES = [
  { value: "test", label: "Test" },
  { value: "live", label: "Live" },
] as const;

/** Chooses the mode that the dashboard shows. */
export function ModeSwitch({ className }: { className?: string | undefined }) {
  return (
    <Segmented size="sm" label="Mode" value={useMode()} onChange={chooseMode} options={MODES} className={className} />
  );
}
