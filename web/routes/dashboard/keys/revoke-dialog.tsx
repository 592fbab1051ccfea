import { useQueryClient } from "@tanstack/react-query";
import { flushSync } from "react-dom";
import { keys } from "../../../../contract/endpoints/keys.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { Failure } from "../../../components/ui/notice.tsx";
import { call } from "../../../lib/api/call.ts";
import { ApiFailure } from "../../../lib/api/failure.ts";
import { queries } from "../../../lib/queries.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { KeyUse } from "./key-table.tsx";
import { keyHint } from "./key-words.ts";
import { messageOf } from "./new-key.ts";

/** One key, or all `count` of a mode. */
export type Target =
  | { readonly mode: KeyMode; readonly key: ListedKey }
  | { readonly mode: KeyMode; readonly count: number };

function isTarget(target: Target, key: ListedKey): boolean {
  return "key" in target ? key.id === target.key.id : key.mode === target.mode;
}

function isExpired(target: Target): boolean {
  return "key" in target && target.key.state === "expired";
}

function summary(target: Target): string {
  const which = "key" in target ? `${target.key.name} stops` : `All ${target.mode} keys stop`;
  return `${which} working everywhere within two minutes.`;
}

function consequencesOf(target: Target): string {
  if (isExpired(target)) return "It has expired, so nothing stops working. It leaves this list for good.";
  const future = "will start failing within two minutes. This can’t be undone.";
  if ("key" in target) return `Requests with this key ${future}`;
  const { count, mode } = target;
  return `This revokes all ${count} ${mode} keys, and any created before you confirm. Requests with them ${future}`;
}

interface Props {
  readonly target: Target;
  readonly onClose: () => void;
  /** Called when the dialog is gone, along with the row it was opened from. */
  readonly onRevoked: () => void;
}

/** Asks before keys stop working. A key leaves the list only once the server has revoked it. */
export function RevokeDialog({ target, onClose, onRevoked }: Props) {
  const client = useQueryClient();
  const { queryKey } = queries.keys;
  const { busy, problem, run } = useAction(messageOf);
  const one = "key" in target ? target.key : null;

  async function revoke(): Promise<void> {
    try {
      await (one ? call(keys.revokeApiKey, { id: one.id }) : call(keys.revokeApiKeys, { mode: target.mode }));
      // A pending list may still contain them.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, (list) => list && { keys: list.keys.filter((key) => !isTarget(target, key)) });
      if (isExpired(target)) toast.success("Key removed");
      else toast.success("API Key revoked", summary(target));
      flushSync(onClose);
      // After the dialog has tried to restore the focus to a button that is gone.
      setTimeout(onRevoked);
    } catch (error) {
      toast.error("Error revoking API Key", messageOf(error));
      // Revoked elsewhere in the meantime: there is nothing to try again.
      if (!(error instanceof ApiFailure && error.code === "NOT_FOUND")) throw error;
      onClose();
    } finally {
      // In any case: another tab may have been first.
      void client.invalidateQueries({ queryKey });
    }
  }

  return (
    <AlertDialog
      open
      // While it is in progress, there is nothing to cancel.
      onOpenChange={(open) => !open && !busy && onClose()}
      title={isExpired(target) ? "Remove this key?" : one ? "Revoke this key?" : `Revoke all ${target.mode} keys?`}
      description={consequencesOf(target)}
      cancel={
        <Button variant="secondary" aria-disabled={busy}>
          Cancel
        </Button>
      }
      actions={
        <Button variant="danger" busy={busy} onClick={() => run(revoke)}>
          {isExpired(target) ? "Remove key" : one ? "Revoke key" : "Revoke all"}
        </Button>
      }
    >
      {one && (
        <div className="rounded-md border border-line bg-sunken px-4 py-3">
          <p className="font-medium wrap-anywhere text-ink">{one.name}</p>
          <p className="font-mono text-sm text-soft">{keyHint(one)}</p>
          <KeyUse apiKey={one} />
        </div>
      )}
      <Failure className="not-first:mt-4">{problem}</Failure>
    </AlertDialog>
  );
}
