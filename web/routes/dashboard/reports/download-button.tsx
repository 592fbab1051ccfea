import { useMutation } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { reports } from "../../../../contract/endpoints/reports.ts";
import { Button } from "../../../components/ui/button.tsx";
import { request } from "../../../lib/api/call.ts";
import { usageFileName } from "../../../lib/figures.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import type { ReportChoice } from "./report-controls.tsx";

interface DownloadProps extends Pick<ReportChoice, "choice" | "mode"> {
  readonly by?: "key";
  readonly disabled?: boolean;
}

/** Saves the API's CSV report: one line per day, or per day and key. */
export function DownloadButton({ choice: { days, key }, mode, by, disabled }: DownloadProps) {
  const download = useMutation({
    mutationFn: () =>
      request(reports.usageReport, { days: String(days), mode, key_id: key, by }, { accept: "text/csv" }),
    onSuccess: ({ text: csv }) => saveTextFile(usageFileName(csv, mode, by), csv, "text/csv;charset=utf-8"),
    onError: (error) => toastFailure("Couldn’t download the report", error),
  });
  return (
    <Button
      variant="secondary"
      size="sm"
      busy={download.isPending}
      disabled={disabled}
      onClick={() => download.mutate()}
    >
      <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
      {/* Beside the page's heading, a phone has room for the arrow only. */}
      {by === "key" ? "CSV by key" : <span className="max-sm:sr-only">Download CSV</span>}
    </Button>
  );
}
