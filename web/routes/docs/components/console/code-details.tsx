import { useState } from "react";
import type { ComponentType } from "react";
import { toast } from "../../../../lib/toast.ts";
import type { CodeViewProps } from "./code-view.tsx";

/** The call as code, folded. The samples are large, so they are loaded when it is first opened. */
export function CodeDetails({ number }: CodeViewProps) {
  const [View, setView] = useState<ComponentType<CodeViewProps>>();

  function load() {
    import("./code-view.tsx").then(
      // Nothing comes when the page is about to be loaded anew (lib/stale-chunk.ts).
      (module) => module && setView(() => module.CodeView),
      () => toast.error("Could not load the code", "Check your connection, then open it again."),
    );
  }

  return (
    <details className="group" data-needs-script onToggle={({ currentTarget }) => currentTarget.open && load()}>
      <summary className="flex min-h-12 items-center px-4 text-base font-medium text-ink">
        The same call as code
      </summary>
      <div className="min-h-80 px-4 pb-4">
        {View ? <View number={number} /> : <p className="text-muted">Loading…</p>}
      </div>
    </details>
  );
}
