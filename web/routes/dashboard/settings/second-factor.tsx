import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { secondFactor } from "../../../../contract/endpoints/second-factor.ts";
import { RECOVERY_CODES } from "../../../../contract/limits.ts";
import type { Passkey } from "../../../../contract/second-factor.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { call } from "../../../lib/api/call.ts";
import { formatDate } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { ConfirmButton, FactorRow } from "./factor-row.tsx";
import { PasskeyForm } from "./passkey-form.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";
import { TotpForm } from "./totp-form.tsx";

interface RowProps {
  /** A factor was added, the first one with recovery codes. */
  readonly onAdded: (what: string, codes: readonly string[] | null) => void;
  /** One was removed, and its button with it. */
  readonly onRemoved: () => Promise<void>;
}

interface RemoveButtonProps extends Pick<RowProps, "onRemoved"> {
  /** The accessible name. */
  readonly label: string;
  readonly name: string;
  readonly remove: () => Promise<unknown>;
}

function RemoveButton({ label, name, remove, onRemoved }: RemoveButtonProps) {
  return (
    <ConfirmButton
      label={label}
      verb="Remove"
      question={`Remove ${name}?`}
      text="You won’t be able to log in with it anymore. If nothing else is left, two-factor authentication turns off: your recovery codes stop working and your password alone is enough."
      failure={`Couldn’t remove ${name}`}
      work={async () => {
        await remove();
        toast.success("Removed");
        await onRemoved();
      }}
    />
  );
}

function AppRow({ addedAt, onAdded, onRemoved }: RowProps & { addedAt: string | null }) {
  const { busy, run } = useAction((error) => toastFailure("Couldn’t start", error));
  const [setup, setSetup] = useState<{ readonly secret: string; readonly uri: string } | null>(null);

  return (
    <FactorRow
      title={
        <>
          Authenticator app
          {addedAt !== null && <Badge>On</Badge>}
        </>
      }
      action={
        addedAt === null ? (
          <Button
            variant="secondary"
            size="sm"
            busy={busy}
            onClick={() => run(async () => setSetup(await call(secondFactor.addTotp)))}
          >
            Set up
          </Button>
        ) : (
          <RemoveButton
            label="Remove the authenticator app"
            name="the authenticator app"
            remove={() => call(secondFactor.removeTotp)}
            onRemoved={onRemoved}
          />
        )
      }
    >
      {addedAt === null ? "Enter a code from your phone after your password." : `Added ${formatDate(addedAt)}`}
      <Dialog open={setup !== null} onOpenChange={() => setSetup(null)} title="Set up an authenticator app">
        {setup && (
          <TotpForm
            {...setup}
            onAdded={(codes) => {
              setSetup(null);
              onAdded("Authenticator app", codes);
            }}
          />
        )}
      </Dialog>
    </FactorRow>
  );
}

function PasskeyRow({ passkey, onRemoved }: Pick<RowProps, "onRemoved"> & { passkey: Passkey }) {
  const { id, name, added_at: addedAt, last_used_at: usedAt } = passkey;
  return (
    <FactorRow
      isNested
      title={name}
      action={
        <RemoveButton
          label={`Remove passkey ${name}`}
          name={name}
          remove={() => call(secondFactor.removePasskey, { id })}
          onRemoved={onRemoved}
        />
      }
    >
      <span className="max-sm:block">Added {formatDate(addedAt)}</span>
      {usedAt !== null && (
        <span className="max-sm:block">
          <span className="max-sm:hidden"> · </span>Last used {formatDate(usedAt)}
        </span>
      )}
    </FactorRow>
  );
}

function PasskeysRow({ passkeys, onAdded, onRemoved }: RowProps & { passkeys: readonly Passkey[] }) {
  const [isAdding, setAdding] = useState(false);

  return (
    <FactorRow
      title="Passkeys"
      action={
        <Button variant="secondary" size="sm" aria-label="Add a passkey" onClick={() => setAdding(true)}>
          Add
        </Button>
      }
      below={
        passkeys.length > 0 && (
          <ul aria-label="Passkeys" className="mt-3 ml-5 divide-y divide-line border-t border-line">
            {passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemoved={onRemoved} />
            ))}
          </ul>
        )
      }
    >
      After your password, use your fingerprint, face, device PIN, or a security key.
      <Dialog
        open={isAdding}
        onOpenChange={setAdding}
        size="sm"
        title="Add a passkey"
        description="A second step after your password, with your fingerprint, face, device PIN, or a security key."
      >
        <PasskeyForm
          onAdded={(codes) => {
            setAdding(false);
            onAdded("Passkey", codes);
          }}
        />
      </Dialog>
    </FactorRow>
  );
}

interface CodesRowProps {
  readonly left: number;
  readonly onReplaced: (codes: readonly string[]) => void;
}

function CodesRow({ left, onReplaced }: CodesRowProps) {
  return (
    <FactorRow
      title="Recovery codes"
      action={
        <ConfirmButton
          label="Replace the recovery codes"
          verb="Replace"
          question="Replace the recovery codes?"
          text="Your saved codes will stop working."
          failure="Couldn’t replace the codes"
          work={async () => onReplaced((await call(secondFactor.replaceRecoveryCodes)).recovery_codes)}
        />
      }
    >
      {left} of {RECOVERY_CODES} left. Each one works once.
    </FactorRow>
  );
}

/** The account's authenticator app, passkeys, and recovery codes, with ways to add and remove them. */
export function SecondFactor() {
  const query = useQuery(queries.secondFactor);
  const client = useQueryClient();
  const list = useRef<HTMLUListElement>(null);
  /** Recovery codes to save. */
  const [codes, setCodes] = useState<readonly string[] | null>(null);

  async function refresh(): Promise<void> {
    const { secondFactor: factors, securityEvents } = queries;
    await Promise.all([factors, securityEvents].map(({ queryKey }) => client.invalidateQueries({ queryKey })));
  }

  function replaced(next: readonly string[] | null): void {
    setCodes(next);
    void refresh();
  }

  const row: RowProps = {
    onAdded(what, next) {
      toast.success(`${what} added`);
      replaced(next);
    },
    async onRemoved() {
      await refresh();
      list.current?.focus();
    },
  };

  return (
    <QueryState query={query} what="two-factor authentication" rows={2} skeletonClass="min-h-37">
      {({ totp_added_at: addedAt, recovery_codes_left: left, passkeys }) => (
        <>
          <ul
            ref={list}
            tabIndex={-1}
            aria-label="Two-factor authentication"
            className="divide-y divide-line rounded-lg border border-line bg-surface outline-none"
          >
            <AppRow {...row} addedAt={addedAt} />
            <PasskeysRow {...row} passkeys={passkeys} />
            {(addedAt !== null || passkeys.length > 0) && <CodesRow left={left} onReplaced={replaced} />}
          </ul>
          <Dialog
            open={codes !== null}
            onOpenChange={() => setCodes(null)}
            dismissible={false}
            title="Save your recovery codes"
            description="Each code works once if you lose your phone or passkey. Save them in your password manager; you won’t see them again."
            actions={<Button onClick={() => setCodes(null)}>I’ve saved them</Button>}
          >
            {codes && <RecoveryCodes codes={codes} />}
          </Dialog>
        </>
      )}
    </QueryState>
  );
}
