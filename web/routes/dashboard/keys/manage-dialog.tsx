import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import type { InferOutput } from "valibot";
import { keys } from "../../../../contract/endpoints/keys.ts";
import { formatCount } from "../../../../contract/format.ts";
import { ChangeKeyRequest } from "../../../../contract/keys.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import { GRACE_HOURS, MAX_NAME_LENGTH } from "../../../../contract/limits.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, FormActions } from "../../../components/ui/dialog.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { call } from "../../../lib/api/call.ts";
import { queries } from "../../../lib/queries.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { KeyUse } from "./key-table.tsx";
import { createdFrom, keyHint } from "./key-words.ts";
import { liveErrors, liveValues } from "./key-limits.ts";
import { LiveKeyFields } from "./live-key-fields.tsx";
import { newKey, problemOf } from "./new-key.ts";

const GRACES: Record<(typeof GRACE_HOURS)[number], string> = {
  0: "Stops now",
  1: "For 1 hour",
  24: "For 24 hours",
  72: "For 72 hours",
};

interface Props {
  readonly apiKey: ListedKey;
  readonly onClose: () => void;
}

interface ChangeProps extends Props {
  readonly onRoll: () => void;
  readonly onRevoke: () => void;
}

/** Another thing to do with a key, with a line about it. */
function More({ about, children }: { about: string; children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-4 py-3">
      <p className="min-w-0 text-sm text-pretty text-muted">{about}</p>
      {children}
    </div>
  );
}

/** Name, cap, and allowed origins of a key, and the ways to replace it and to end it. */
function Change({ apiKey, onClose, onRoll, onRevoke }: ChangeProps) {
  const client = useQueryClient();
  /** The initial state: the list behind it refreshes. */
  const [before] = useState(apiKey);
  const [isChanged, setChanged] = useState(false);
  const form = useForm({
    schema: ChangeKeyRequest,
    body: ({ name, ...values }) => ({ name, ...liveValues(values) }),
    rules: liveErrors,
    submit: save,
    failed: problemOf,
  });

  async function save({ name, monthly_cap: cap, allowed_origins: origins = [] }: InferOutput<typeof ChangeKeyRequest>) {
    // Don't revert what another tab or a program has changed in the meantime.
    const changes = {
      ...(name !== before.name && { name }),
      ...(cap !== before.monthly_cap && { monthly_cap: cap }),
      ...(origins.join() !== before.allowed_origins.join() && { allowed_origins: origins }),
    };
    if (Object.keys(changes).length === 0) return onClose();
    try {
      await call(keys.changeApiKey, { id: before.id, ...changes });
      toast.success("Key updated");
      onClose();
    } finally {
      void client.invalidateQueries({ queryKey: queries.keys.queryKey });
    }
  }

  return (
    <form {...form.props} className="grid gap-4 [&>:last-child]:mt-2" onChange={() => setChanged(true)}>
      <Field
        {...form.field("name")}
        label="Name"
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        defaultValue={before.name}
      />
      {before.mode === "live" && (
        <LiveKeyFields
          field={form.field}
          cap={before.monthly_cap === null ? "" : formatCount(before.monthly_cap)}
          origins={before.allowed_origins.join("\n")}
          capHint="Successful verifications per month, UTC. Usually takes effect within two minutes."
        />
      )}
      <div className="mt-1 divide-y divide-line border-t border-line">
        {apiKey.state === "active" && (
          <More about="Get a new key. The old one can keep working for up to 72 hours.">
            <Button variant="secondary" size="sm" onClick={onRoll}>
              Roll key…
            </Button>
          </More>
        )}
        <More about="Requests with this key fail within two minutes.">
          <Button variant="secondary" size="sm" className="border-invalid/45 text-invalid" onClick={onRevoke}>
            Revoke key…
          </Button>
        </More>
      </div>
      <FormActions problem={form.problem} cancel={<Button variant="secondary">Cancel</Button>}>
        <Button {...form.submitButton} variant={isChanged ? "primary" : "secondary"} disabled={!isChanged}>
          Save changes
        </Button>
      </FormActions>
    </form>
  );
}

/** What a rolled key keeps: "name, cap, and usage". */
function sameOf({ mode, allowed_origins: origins }: ListedKey): string {
  const kept = ["name", mode === "live" ? "cap" : [], origins.length > 0 ? "origins" : [], "usage"].flat();
  return new Intl.ListFormat("en-US").format(kept);
}

/** Replaces this key with a new one. */
function Roll({ apiKey, onClose }: Props) {
  const client = useQueryClient();
  const { busy, problem, run } = useAction(problemOf);
  const [grace, setGrace] = useState<(typeof GRACE_HOURS)[number]>(24);
  const select = useRef<HTMLSelectElement>(null);
  // The button that had the focus is gone.
  useEffect(() => select.current?.focus(), []);

  async function roll(): Promise<void> {
    try {
      const key = await call(keys.rollApiKey, { id: apiKey.id, grace_hours: grace });
      onClose();
      newKey.set(key);
      toast.success("Key rolled", "Copy the new one now. You won’t see it again.");
    } finally {
      void client.invalidateQueries({ queryKey: queries.keys.queryKey });
    }
  }

  return (
    <>
      <Select
        ref={select}
        label="Keep the old key working"
        hint={`You get a new key now, with the same ${sameOf(apiKey)}.`}
        value={grace}
        onChange={({ target }) => setGrace(GRACE_HOURS.find((hours) => hours === Number(target.value)) ?? 24)}
      >
        {GRACE_HOURS.map((hours) => (
          <option key={hours} value={hours}>
            {GRACES[hours]}
          </option>
        ))}
      </Select>
      <FormActions problem={problem} cancel={<Button variant="secondary">Cancel</Button>}>
        <Button busy={busy} onClick={() => run(roll)}>
          Roll key
        </Button>
      </FormActions>
    </>
  );
}

/** Rename, limit, roll or revoke a key. */
export function ManageDialog({ apiKey, onClose, onRevoke }: Props & Pick<ChangeProps, "onRevoke">) {
  const [isRolling, setRolling] = useState(false);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={`${isRolling ? "Roll" : "Manage"} ${apiKey.name}`}
      description={
        <>
          <code className="font-mono text-sm text-ink">{keyHint(apiKey)}</code>
          <span className="block text-sm text-muted">{createdFrom(apiKey)}</span>
          <KeyUse apiKey={apiKey} />
        </>
      }
    >
      {isRolling ? (
        <Roll apiKey={apiKey} onClose={onClose} />
      ) : (
        <Change apiKey={apiKey} onClose={onClose} onRoll={() => setRolling(true)} onRevoke={onRevoke} />
      )}
    </Dialog>
  );
}
