import Copy from "lucide-react/icons/copy";
import Download from "lucide-react/icons/download";
import { Button } from "../../../components/ui/button.tsx";
import { copyAndTell } from "../../../lib/copy.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { useUnloadQuestion } from "../../../lib/session/end-session.ts";

/** Recovery codes, which are shown only once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  useUnloadQuestion(true);
  const text = `${codes.join("\n")}\n`;
  return (
    <>
      <ul
        aria-label="Recovery codes"
        className="grid gap-1 rounded-md border border-edge bg-sunken px-4 py-3.5 font-mono text-sm text-ink"
      >
        {codes.map((code) => (
          <li key={code} className="whitespace-nowrap select-all">
            {code}
          </li>
        ))}
      </ul>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={() => void copyAndTell(text)}>
          <Copy aria-hidden="true" className="size-4" strokeWidth={1.5} />
          Copy all
        </Button>
        <Button
          variant="secondary"
          size="sm"
          onClick={() => saveTextFile("checkline-recovery-codes.txt", text, "text/plain")}
        >
          <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
          Download
        </Button>
      </div>
    </>
  );
}
