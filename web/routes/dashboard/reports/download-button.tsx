import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { readUsageCsv } from "../../../lib/api/dashboard.ts";
import { failureMessage } from "../../../lib/api/failure.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { toast } from "../../../lib/toast.ts";
import { usageFileName } from "./usage-file.ts";

/** Saves the days of the report as a CSV file, as the API makes it. */
export function DownloadButton({ days, mode }: { days: number; mode: KeyMode | undefined }) {
  const download = useMutation({
    mutationFn: () => readUsageCsv({ days, mode }),
    onSuccess: (csv) => saveTextFile(usageFileName(csv, mode), csv, "text/csv;charset=utf-8"),
    onError: (error) => toast.error("Could not download the report", failureMessage(error, "Try again in a moment.")),
  });
  return (
    <Button variant="secondary" size="sm" busy={download.isPending} onClick={() => download.mutate()}>
      <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
      Download CSV
    </Button>
  );
}
