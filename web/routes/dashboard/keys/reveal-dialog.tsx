import { useCallback, useEffect, useRef, useState } from "react";
import { useBlocker } from "react-router";
import Copy from "lucide-react/icons/copy";
import { flushSync } from "react-dom";
import { API_BASE_PATH } from "../../../../contract/origin.ts";
import { SANDBOX_SUCCESSES } from "../../../../contract/sandbox.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CodeBlock } from "../../../components/ui/code-block.tsx";
import { AlertDialog, Dialog } from "../../../components/ui/dialog.tsx";
import { DrawnCheck } from "../../../components/ui/drawn-check.tsx";
import { Tab, TabList, TabPanel, Tabs } from "../../../components/ui/tabs.tsx";
import { copyAndTell } from "../../../lib/copy.ts";
import { useOrigin } from "../../../lib/origin.ts";
import { useUnloadQuestion } from "../../../lib/session/end-session.ts";
import { showNewKey } from "./new-key.ts";
import type { NewKey } from "./new-key.ts";
import { TryKey } from "./try-key.tsx";

/** A call to paste into a terminal: in a POSIX shell, nothing in a key or an origin needs quoting. */
function curlWith({ api_key: key, allowed_origins: [page] }: NewKey, origin: string): string {
  return [
    `curl -X POST ${origin}${API_BASE_PATH}/verify`,
    `  -H "Authorization: Bearer ${key}"`,
    ...(page === undefined ? [] : [`  -H "Origin: ${page}"`]),
    `  -H "Content-Type: application/json"`,
    `  -d '${JSON.stringify({ number: SANDBOX_SUCCESSES[0].number })}'`,
  ].join(" \\\n");
}

/** Keeps a key from being lost by accident: by Escape, the browser's Back, a link, or closing the tab. */
function useLeaving(copied: boolean, onClose: () => void) {
  const [wantsToClose, setWantsToClose] = useState(false);
  const blocker = useBlocker(!copied);

  useUnloadQuestion(!copied);

  return {
    /** Whether to ask: a key that was never copied is about to be lost. */
    isConfirming: wantsToClose || blocker.state === "blocked",
    /** Escape: closes once the key is copied, and asks before that. */
    close() {
      if (copied) onClose();
      else setWantsToClose(true);
    },
    stay() {
      setWantsToClose(false);
      if (blocker.state === "blocked") blocker.reset();
    },
    leave() {
      if (blocker.state === "blocked") blocker.proceed();
      onClose();
    },
  };
}

interface KeyBoxProps {
  readonly apiKey: string;
  readonly copied: boolean;
  readonly onCopied: () => void;
}

/** The key to copy. If the browser rejects that, the key is left selected for copying by keyboard or menu. */
function KeyBox({ apiKey, copied, onCopied }: KeyBoxProps) {
  const code = useRef<HTMLElement>(null);

  // Copying manually counts too.
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
    <div className="flex items-center gap-3 rounded-md border border-edge bg-sunken p-1.5 max-sm:flex-col max-sm:items-stretch">
      <code
        ref={code}
        data-api-key=""
        className="min-w-0 flex-1 px-2.5 max-sm:pt-1.5 font-mono text-sm leading-relaxed wrap-anywhere text-ink select-all"
      >
        {apiKey}
      </code>
      <Button
        size="sm"
        variant={copied ? "secondary" : "primary"}
        aria-label={copied ? "Copied API key" : "Copy API key"}
        onClick={() => void copy()}
      >
        {copied ? <DrawnCheck className="size-4" /> : <Copy aria-hidden="true" className="size-4" strokeWidth={1.5} />}
        {copied ? "Copied" : "Copy"}
      </Button>
    </div>
  );
}

interface RevealDialogProps {
  readonly created: NewKey;
  /** Deletes the key, which closes the dialog. */
  readonly onClose: () => void;
}

/**
 * Shows a new key, this once. Its button confirms that it is saved; until it is copied, every other way out asks first.
 */
export function RevealDialog({ created, onClose }: RevealDialogProps) {
  const { api_key: apiKey, mode, name, isFirst = false } = created;
  const isForPages = created.allowed_origins.length > 0;
  const origin = useOrigin();
  const [copied, setCopied] = useState(false);
  // Synchronously, effects included: after "Copied", leaving does not ask.
  const markCopied = useCallback(() => flushSync(() => setCopied(true)), []);
  const leaving = useLeaving(copied, onClose);
  useEffect(showNewKey, []);
  const curl = (
    <CodeBlock label="Request with curl" title="Terminal" code={curlWith(created, origin)} onCopied={markCopied} />
  );

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
          <span className="basis-full text-sm">
            Shown once.{" "}
            {isForPages
              ? "Put it into your page, where anyone can read it."
              : "Store it with your app’s other secrets."}
          </span>
        </span>
      }
      actions={
        <Button variant={copied ? "primary" : "secondary"} onClick={onClose}>
          I’ve saved it
        </Button>
      }
    >
      <KeyBox apiKey={apiKey} copied={copied} onCopied={markCopied} />
      {/* This page isn't one of its origins, so it can't be tried here. */}
      {isForPages ? (
        <div className="mt-5">{curl}</div>
      ) : (
        <Tabs defaultValue={isFirst ? "try" : "curl"} className="mt-4">
          <TabList label="Use the key">
            <Tab value="curl">With curl</Tab>
            <Tab value="try">Try it here</Tab>
          </TabList>
          <TabPanel value="curl">{curl}</TabPanel>
          <TabPanel value="try">
            <TryKey apiKey={apiKey} mode={mode} auto={isFirst} />
          </TabPanel>
        </Tabs>
      )}
      {leaving.isConfirming && <div aria-hidden="true" className="absolute -inset-px z-1 rounded-lg bg-scrim" />}
      <AlertDialog
        open={leaving.isConfirming}
        onOpenChange={(open) => !open && leaving.stay()}
        title="Close without copying the key?"
        description="You haven’t copied the key, and you won’t see it again. If you lose it, revoke it and generate another."
        cancel={<Button variant="secondary">Back to the key</Button>}
        actions={
          <Button variant="danger" onClick={leaving.leave}>
            Close without copying
          </Button>
        }
      />
    </Dialog>
  );
}
