import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import * as v from "valibot";
import { KeyName } from "../../../../contract/accounts.ts";
import { keys } from "../../../../contract/endpoints/keys.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import { GRACE_HOURS, MAX_NAME_LENGTH } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { call } from "../../../lib/api/call.ts";
import { ApiFailure } from "../../../lib/api/failure.ts";
import { queries } from "../../../lib/queries.ts";
import { toast } from "../../../lib/toast.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { useAction } from "../../../lib/use-action.ts";
import { CAP_RULE, readCap } from "./cap.ts";
import { holdNewKey } from "./new-key.ts";
import { keyHint } from "./revoke-dialog.tsx";

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

/** Name and cap of a key. */
function Change({ apiKey, onClose }: Props) {
  const client = useQueryClient();
  const { busy, run } = useAction();
  /** The initial state: the list behind it refreshes. */
  const [before] = useState(apiKey);
  const [name, setName] = useState(apiKey.name);
  const [capBefore] = useState(apiKey.monthly_cap?.toLocaleString("en-US") ?? "");
  const [cap, setCap] = useState(capBefore);
  const isChanged = name !== before.name || cap !== capBefore;
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});

  async function save(): Promise<void> {
    const check = v.safeParse(KeyName, name);
    const monthlyCap = apiKey.mode === "live" ? readCap(cap) : null;
    if (!check.success || monthlyCap === undefined) {
      setErrors({
        ...(!check.success && { name: check.issues[0].message }),
        ...(monthlyCap === undefined && { monthly_cap: CAP_RULE }),
      });
      return;
    }
    setErrors({});
    // Don't revert what another tab or a program has changed in the meantime.
    const changes = {
      ...(check.output !== before.name && { name: check.output }),
      ...(monthlyCap !== before.monthly_cap && { monthly_cap: monthlyCap }),
    };
    if (Object.keys(changes).length === 0) return onClose();
    try {
      await call(keys.changeApiKey, { id: apiKey.id, ...changes });
      toast.success("Key updated");
      onClose();
    } catch (error) {
      if (error instanceof ApiFailure) setErrors(error.fields);
      toastFailure("Couldn’t change the key", error);
    }
    void client.invalidateQueries({ queryKey: queries.keys.queryKey });
  }

  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        run(save);
      }}
    >
      <Field
        label="Name"
        autoComplete="off"
        maxLength={MAX_NAME_LENGTH}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={errors["name"]}
      />
      {apiKey.mode === "live" && (
        <Field
          label="Monthly cap"
          aside="Optional"
          inputMode="numeric"
          autoComplete="off"
          placeholder="No cap"
          value={cap}
          onChange={(event) => setCap(event.target.value)}
          error={errors["monthly_cap"]}
          hint="Successful verifications per month, UTC. Takes effect within two minutes."
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" busy={busy} disabled={!isChanged}>
          Save changes
        </Button>
        <Button variant="secondary" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Replaces this key with a new one. */
function Roll({ apiKey, onClose }: Props) {
  const client = useQueryClient();
  const { busy, run } = useAction();
  const [grace, setGrace] = useState<(typeof GRACE_HOURS)[number]>(24);

  async function roll(): Promise<void> {
    try {
      const key = await call(keys.rollApiKey, { id: apiKey.id, grace_hours: grace });
      onClose();
      holdNewKey(key);
      toast.success("Key rolled", "Copy the new one now. You won’t see it again.");
    } catch (error) {
      toastFailure("Couldn’t roll the key", error);
    }
    void client.invalidateQueries({ queryKey: queries.keys.queryKey });
  }

  return (
    <section aria-labelledby="roll-title" className="mt-6 border-t border-line pt-5">
      <h3 id="roll-title" className="text-base text-ink">
        Roll the key
      </h3>
      <p className="mt-1 mb-4 text-sm text-muted">Creates a replacement with the same name, cap, and usage.</p>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label="Keep the old key working"
          className="min-w-0 flex-1 basis-48"
          value={grace}
          onChange={({ target }) => setGrace(GRACE_HOURS.find((hours) => hours === Number(target.value)) ?? 24)}
        >
          {GRACE_HOURS.map((hours) => (
            <option key={hours} value={hours}>
              {GRACES[hours]}
            </option>
          ))}
        </Select>
        <Button variant="secondary" className="min-h-11" busy={busy} onClick={() => run(roll)}>
          Roll key
        </Button>
      </div>
    </section>
  );
}

/** Rename, cap or roll a key. */
export function ManageDialog({ apiKey, onClose }: Props) {
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title="Manage key"
      description={<code className="font-mono text-sm">{keyHint(apiKey)}</code>}
    >
      <Change apiKey={apiKey} onClose={onClose} />
      {apiKey.state === "active" && <Roll apiKey={apiKey} onClose={onClose} />}
    </Dialog>
  );
}
