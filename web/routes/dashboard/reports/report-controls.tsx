import type { KeyMode } from "../../../../contract/limits.ts";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { PERIODS } from "./period.ts";
import type { ReportChoice } from "./use-report-choice.ts";

const PERIOD_OPTIONS = PERIODS.map((days) => ({ value: String(days), label: `${days} days` }));
const SCOPE_OPTIONS = [
  { value: "test", label: "Test" },
  { value: "live", label: "Live" },
  { value: "both", label: "Both" },
] as const;

export interface ReportControlsProps {
  choice: ReportChoice["choice"];
  mode: KeyMode | undefined;
  onChoose: ReportChoice["choose"];
}

/** How many days, and whose verifications: of test keys, live keys, or both. */
export function ReportControls({ choice, mode, onChoose }: ReportControlsProps) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
      <Segmented
        size="sm"
        label="Period"
        options={PERIOD_OPTIONS}
        value={String(choice.days)}
        onChange={(value) => {
          const days = PERIODS.find((period) => String(period) === value);
          if (days !== undefined) onChoose({ days });
        }}
      />
      <Segmented
        size="sm"
        label="Keys"
        options={SCOPE_OPTIONS}
        value={mode ?? "both"}
        onChange={(scope) => onChoose({ scope })}
      />
    </div>
  );
}
