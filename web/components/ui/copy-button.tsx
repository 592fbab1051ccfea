import { useEffect, useState } from "react";
import { clsx } from "clsx";
import Copy from "lucide-react/icons/copy";
import { copyAndTell } from "../../lib/copy.ts";
import { IconButton } from "./button.tsx";
import { DrawnCheck } from "./drawn-check.tsx";

const SHOWN_MS = 2000;

export interface CopyButtonProps {
  text: string;
  /** The accessible name, which never changes: "Copy request". */
  label: string;
  className?: string | undefined;
  /** Called once the text is on the clipboard. */
  onCopied?: (() => void) | undefined;
}

/**
 * Copies a text. Its icon becomes a check mark for two seconds, only if the text is really on the clipboard; a toast
 * confirms it.
 */
export function CopyButton({ text, label, className, onCopied }: CopyButtonProps) {
  const [copied, setCopied] = useState(0);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(0), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (await copyAndTell(text)) {
      setCopied((times) => times + 1);
      onCopied?.();
    } else {
      setCopied(0);
    }
  }

  return (
    <IconButton
      label={label}
      data-needs-script
      data-copied={copied > 0 || undefined}
      size="sm"
      className={clsx("text-muted hover:text-ink data-copied:text-ink", className)}
      onClick={() => void copy()}
    >
      {copied ? (
        <DrawnCheck key={copied} className="size-4" />
      ) : (
        <Copy aria-hidden="true" className="size-4" strokeWidth={1.5} />
      )}
    </IconButton>
  );
}
