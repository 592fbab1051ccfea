import { useEffect, useRef } from "react";
import { Copy } from "lucide-react";
import { Button } from "../../../../components/ui/button.tsx";
import { DrawnCheck } from "../../../../components/ui/drawn-check.tsx";
import { copyAndTell } from "../../../../lib/copy.ts";

interface Props {
  readonly apiKey: string;
  readonly copied: boolean;
  readonly onCopied: () => void;
}

/** The key to copy. Where the browser refuses, the key is left selected, so that the keyboard or a menu can copy it. */
export function KeyBox({ apiKey, copied, onCopied }: Props) {
  const code = useRef<HTMLElement>(null);

  // Copied by hand counts too.
  useEffect(() => {
    function onCopy() {
      if (document.getSelection()?.toString().includes(apiKey)) onCopied();
    }
    document.addEventListener("copy", onCopy);
    return () => document.removeEventListener("copy", onCopy);
  }, [apiKey, onCopied]);

  async function copy() {
    if (await copyAndTell(apiKey)) onCopied();
    else if (code.current) document.getSelection()?.selectAllChildren(code.current);
  }

  return (
    <div className="overflow-hidden rounded-md border border-edge bg-sunken">
      <div className="flex items-center justify-between gap-3 border-b border-line py-1.5 pr-1.5 pl-4">
        <span className="label">Shown once</span>
        <Button
          size="sm"
          variant={copied ? "secondary" : "primary"}
          aria-label="Copy API key"
          onClick={() => void copy()}
        >
          {copied ? (
            <DrawnCheck className="size-4" />
          ) : (
            <Copy aria-hidden="true" className="size-4" strokeWidth={1.5} />
          )}
          Copy
        </Button>
      </div>
      <code
        ref={code}
        data-api-key=""
        className="block px-4 py-3.5 font-mono text-base leading-relaxed wrap-anywhere text-ink select-all"
      >
        {apiKey}
      </code>
    </div>
  );
}
