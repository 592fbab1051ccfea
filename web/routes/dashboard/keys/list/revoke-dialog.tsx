import { useRef } from "react";
import { flushSync } from "react-dom";
import { AlertDialog } from "../../../../components/ui/dialog.tsx";
import { Button } from "../../../../components/ui/button.tsx";
import { hintOf } from "./key-table.tsx";
import { useRevocation } from "./use-revocation.ts";
import type { Target } from "./use-revocation.ts";

interface Props {
  readonly target: Target;
  readonly onClose: () => void;
  /** Called when the dialog is gone, and with it the row it was opened from. */
  readonly onRevoked: () => void;
}

/** Asks before keys stop working, and says what that means. */
export function RevokeDialog({ target, onClose, onRevoked }: Props) {
  const keep = useRef<HTMLButtonElement>(null);
  const { busy, revoke } = useRevocation();
  const one = "key" in target ? target.key : null;

  function confirm() {
    revoke(target, (revoked) => {
      flushSync(onClose);
      // After the dialog has tried to give the focus back to a button that is no longer there.
      if (revoked) setTimeout(onRevoked);
    });
  }

  return (
    <AlertDialog
      open
      // While it is being done there is nothing left to call off.
      onOpenChange={(open) => !open && !busy && onClose()}
      title={one ? "Revoke this key?" : `Revoke all ${target.mode} keys?`}
      description={<Consequences target={target} />}
      initialFocus={keep}
      cancel={
        <Button ref={keep} variant="secondary" aria-disabled={busy}>
          Cancel
        </Button>
      }
      actions={
        <Button variant="danger" busy={busy} onClick={confirm}>
          {one ? "Revoke key" : "Revoke all"}
        </Button>
      }
    >
      {one && (
        <div className="rounded-md border border-line bg-sunken px-4 py-3">
          <p className="font-medium wrap-anywhere text-ink">{one.name}</p>
          <p className="font-mono text-sm text-soft">{hintOf(one)}</p>
        </div>
      )}
    </AlertDialog>
  );
}

/** As docs/faults.md has it: the isolate that revokes knows at once, the others when the key store tells them. */
const HOW_SOON = "at once on the server that answers this, within two minutes on all others. This cannot be undone.";

function Consequences({ target }: { target: Target }) {
  if ("key" in target) return <>Programs that use it are refused: {HOW_SOON}</>;
  const which = target.count === 1 ? "the one that is listed" : `the ${target.count} that are listed`;
  return (
    <>
      This revokes {which}, and what another tab may have added. Programs that use them are refused: {HOW_SOON}
    </>
  );
}
