import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useId, useRef, useState } from "react";
import type { ReactNode } from "react";
import * as v from "valibot";
import { KeyName } from "../../../../contract/accounts.ts";
import { keys } from "../../../../contract/endpoints/keys.ts";
import { formatCount } from "../../../../contract/format.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import { GRACE_HOURS, MAX_NAME_LENGTH } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogActions } from "../../../components/ui/dialog.tsx";
import { Field, Select } from "../../../components/ui/input.tsx";
import { Failure } from "../../../components/ui/notice.tsx";
import { call } from "../../../lib/api/call.ts";
import { failureMessage } from "../../../lib/api/failure.ts";
import { queries } from "../../../lib/queries.ts";
import { wasCalledOff } from "../../../lib/session/password-prompt.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { CAP_RULE, readCap } from "./cap.ts";
import { holdNewKey } from "./new-key.ts";
import { createdFrom, keyHint } from "./key-words.ts";
import { OriginsField } from "./origins-field.tsx";
import { readOrigins } from "./origins.ts";

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

/** Why an attempt failed; null if the password prompt was canceled. */
function problemOf(error: unknown): string | null {
  return wasCalledOff(error) ? null : failureMessage(error, "Try again in a moment.");
}

/** Name, cap, and allowed origins of a key, and the ways to replace it and to end it. */
function Change({ apiKey, onClose, onRoll, onRevoke }: ChangeProps) {
  const client = useQueryClient();
  const { busy, errors, setErrors, problem, run } = useAction(problemOf);
  /** The initial state: the list behind it refreshes. */
  const [before] = useState(apiKey);
  const [name, setName] = useState(apiKey.name);
  const [capBefore] = useState(apiKey.monthly_cap === null ? "" : formatCount(apiKey.monthly_cap));
  const [cap, setCap] = useState(capBefore);
  const [originsBefore] = useState(apiKey.allowed_origins.join("\n"));
  const [origins, setOrigins] = useState(originsBefore);
  const originsId = useId();
  const isChanged = name !== before.name || cap !== capBefore || origins !== originsBefore;

  async function save(): Promise<void> {
    const check = v.safeParse(KeyName, name);
    const monthlyCap = apiKey.mode === "live" ? readCap(cap) : null;
    const allowedOrigins = readOrigins(origins);
    if (!check.success || monthlyCap === undefined || typeof allowedOrigins === "string") {
      setErrors({
        ...(!check.success && { name: check.issues[0].message }),
        ...(monthlyCap === undefined && { monthly_cap: CAP_RULE }),
        ...(typeof allowedOrigins === "string" && { allowed_origins: allowedOrigins }),
      });
      return;
    }
    // Don't revert what another tab or a program has changed in the meantime.
    const changes = {
      ...(check.output !== before.name && { name: check.output }),
      ...(monthlyCap !== before.monthly_cap && { monthly_cap: monthlyCap }),
      ...(allowedOrigins.join("\n") !== originsBefore && { allowed_origins: [...allowedOrigins] }),
    };
    if (Object.keys(changes).length === 0) return onClose();
    try {
      await call(keys.changeApiKey, { id: apiKey.id, ...changes });
      toast.success("Key updated");
      onClose();
    } finally {
      void client.invalidateQueries({ queryKey: queries.keys.queryKey });
    }
  }

  return (
    <form
      noValidate
      className="grid gap-4 [&>:last-child]:mt-2"
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
          hint="Successful verifications per month, UTC. Usually takes effect within two minutes."
        />
      )}
      {apiKey.mode === "live" && (
        <OriginsField id={originsId} value={origins} onChange={setOrigins} error={errors["allowed_origins"]} />
      )}
      <div className="mt-1 divide-y divide-line border-y border-line">
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
      <Failure>{problem}</Failure>
      <DialogActions cancel={<Button variant="secondary">Cancel</Button>}>
        <Button type="submit" variant={isChanged ? "primary" : "secondary"} busy={busy} disabled={!isChanged}>
          Save changes
        </Button>
      </DialogActions>
    </form>
  );
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
      holdNewKey(key);
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
        hint={`The new key has the same name, cap, ${apiKey.allowed_origins.length > 0 ? "origins, " : ""}and usage.`}
        value={grace}
        onChange={({ target }) => setGrace(GRACE_HOURS.find((hours) => hours === Number(target.value)) ?? 24)}
      >
        {GRACE_HOURS.map((hours) => (
          <option key={hours} value={hours}>
            {GRACES[hours]}
          </option>
        ))}
      </Select>
      <Failure className="mt-4">{problem}</Failure>
      <DialogActions cancel={<Button variant="secondary">Cancel</Button>}>
        <Button busy={busy} onClick={() => run(roll)}>
          Roll key
        </Button>
      </DialogActions>
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
      title={isRolling ? "Roll key" : "Manage key"}
      description={
        <>
          {isRolling && <span className="block wrap-anywhere text-ink">{apiKey.name}</span>}
          <code className="font-mono text-sm text-ink">{keyHint(apiKey)}</code>
          <span className="block text-sm text-muted">{createdFrom(apiKey)}</span>
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
