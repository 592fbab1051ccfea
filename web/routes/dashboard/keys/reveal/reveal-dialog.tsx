import { useCallback, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Badge } from "../../../../components/ui/badge.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { CodeBlock } from "../../../../components/ui/code-block.tsx";
import { AlertDialog, Dialog } from "../../../../components/ui/dialog.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../../components/ui/tabs.tsx";
import { useOrigin } from "../../../../lib/origin.ts";
import { TryKey } from "../try/try-key.tsx";
import { showNewKey } from "../new-key.ts";
import type { NewKey } from "../new-key.ts";
import { curlWith } from "./curl.ts";
import { KeyBox } from "./key-box.tsx";
import { useLeaving } from "./use-leaving.ts";

interface Props {
  readonly created: NewKey;
  /** Forgets the key; the dialog goes with it. */
  readonly onClose: () => void;
}

/** Shows a new key, this once. Until it has been copied, only an answered question closes it; Escape asks it. */
export function RevealDialog({ created, onClose }: Props) {
  const { api_key: apiKey, mode, name } = created;
  const origin = useOrigin();
  const [copied, setCopied] = useState(false);
  // At once, effects included: whoever reads "Copied" may leave without being asked.
  const markCopied = useCallback(() => flushSync(() => setCopied(true)), []);
  const leaving = useLeaving(copied, onClose);
  useEffect(showNewKey, []);

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && leaving.close()}
      dismissible={copied}
      onEscape={leaving.close}
      title="Your new API key"
      description={
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="wrap-anywhere">{name}</span>
          <Badge tone={mode}>{mode}</Badge>
        </span>
      }
      actions={
        <Button variant={copied ? "primary" : "secondary"} onClick={leaving.close}>
          I have saved it
        </Button>
      }
    >
      <KeyBox apiKey={apiKey} copied={copied} onCopied={markCopied} />
      <p className="mt-3 text-sm text-soft">
        We keep no copy of it. Store it now where your program reads its secrets.
      </p>
      <Tabs defaultValue="curl" className="mt-5">
        <TabList label="Use the key">
          <Tab value="curl">With curl</Tab>
          <Tab value="try">Try it here</Tab>
        </TabList>
        <TabPanel value="curl">
          <CodeBlock label="Request with curl" title="Terminal" code={curlWith(apiKey, origin)} onCopied={markCopied} />
        </TabPanel>
        <TabPanel value="try">
          <TryKey apiKey={apiKey} mode={mode} />
        </TabPanel>
      </Tabs>
      {leaving.asking && (
        <div aria-hidden="true" className="absolute -inset-px z-1 rounded-lg bg-ink/35 dark:bg-sunken/75" />
      )}
      <Question asking={leaving.asking} onStay={leaving.stay} onLeave={leaving.leave} />
    </Dialog>
  );
}

function Question({ asking, onStay, onLeave }: { asking: boolean; onStay: () => void; onLeave: () => void }) {
  const back = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog
      open={asking}
      onOpenChange={(open) => !open && onStay()}
      initialFocus={back}
      title="Close without copying the key?"
      description="The Copy button has not been used, and the key cannot be shown again. If it is not saved, revoke it and generate another."
      cancel={
        <Button ref={back} variant="secondary">
          Back to the key
        </Button>
      }
      actions={
        <Button variant="danger" onClick={onLeave}>
          Close for good
        </Button>
      }
    />
  );
}
