import { Copy, FileText } from "lucide-react";
import { useState } from "react";
import { Button, buttonClass } from "../../components/ui/button.tsx";
import { docPath } from "../../content/docs/sections.ts";
import { copyAndTell } from "../../lib/copy.ts";
import { useOrigin } from "../../lib/origin.ts";
import { SITE_ORIGIN } from "../../lib/site-origin.ts";
import { toast } from "../../lib/toast.ts";

const ICON = { "aria-hidden": true, className: "size-4", strokeWidth: 1.5 } as const;

async function load(path: string): Promise<string> {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`);
  return response.text();
}

/** The page as plain Markdown: to copy, and to look at. */
export function PageActions({ slug }: { slug: string }) {
  const path = `${docPath(slug)}.md`;
  const origin = useOrigin();
  const [busy, setBusy] = useState(false);

  async function copy() {
    setBusy(true);
    try {
      const markdown = await load(path);
      await copyAndTell(markdown.replaceAll(SITE_ORIGIN, origin));
    } catch {
      toast.error("Could not copy", "The Markdown of this page did not load. Check your connection and try again.");
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="mt-6 -ml-3 flex flex-wrap items-center gap-x-1">
      <Button
        variant="quiet"
        size="sm"
        busy={busy}
        onClick={() => void copy()}
        className="text-muted hover:text-ink"
        data-needs-script
      >
        <Copy {...ICON} />
        Copy page as Markdown
      </Button>
      <a href={path} className={`${buttonClass({ variant: "quiet", size: "sm" })} text-muted! hover:text-ink!`}>
        <FileText {...ICON} />
        View as Markdown
      </a>
    </div>
  );
}
