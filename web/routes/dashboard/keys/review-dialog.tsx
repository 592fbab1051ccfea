import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import { keys } from "../../../../contract/endpoints/keys.ts";
import type { ListedKey } from "../../../../contract/keys.ts";
import { UNDO_DAYS } from "../../../../contract/limits.ts";
import { QueryState } from "../../../components/dashboard/query-state.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Checkbox } from "../../../components/ui/checkbox.tsx";
import { AlertDialog, FormActions } from "../../../components/ui/dialog.tsx";
import { call } from "../../../lib/api/call.ts";
import { unlessGone } from "../../../lib/api/failure.ts";
import { relativeTime } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { createdFrom, keyHint } from "./key-words.ts";
import { messageOf } from "./new-key.ts";

interface ChoiceProps {
  readonly apiKey: ListedKey;
  /** When the list was read, in milliseconds since the Unix epoch. */
  readonly now: number;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

/** How long an undo of a change of email can reach back, at most: its link works four days. In milliseconds. */
const RECENT_MS = (UNDO_DAYS + 4) * 86_400_000;

function Choice({ apiKey, now, checked, onChange }: ChoiceProps) {
  const { name, last_used_at: used, from_new_device: isFromNewDevice, limits_changed_at: changedAt } = apiKey;
  const changed = changedAt !== null && now - Date.parse(changedAt) < RECENT_MS ? Date.parse(changedAt) : null;
  return (
    <li className="px-4 py-2">
      <Checkbox
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        label={
          <>
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span className="font-medium wrap-anywhere">{name}</span>
              {isFromNewDevice && <Badge tone="possible">New device</Badge>}
              {changed !== null && <Badge tone="possible">Limits changed</Badge>}
            </span>
            <code className="block font-mono text-sm text-soft">{keyHint(apiKey)}</code>
            <span className="flex flex-wrap gap-x-4 text-sm text-muted">
              <span>{createdFrom(apiKey)}</span>
              <span>{used === null ? "Never used" : `Used ${relativeTime(Date.parse(used), now)}`}</span>
              {changed !== null && <span>Limits changed {relativeTime(changed, now)}</span>}
            </span>
          </>
        }
      />
    </li>
  );
}

interface ChoicesProps {
  readonly all: readonly ListedKey[];
  readonly now: number;
  readonly onDone: () => void;
}

function Choices({ all, now, onDone }: ChoicesProps) {
  const client = useQueryClient();
  const { busy, problem, run } = useAction(messageOf);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(all.filter((key) => key.from_new_device).map(({ id }) => id)),
  );
  // Those that are gone, for example after another attempt, are no longer chosen.
  const ids = all.map(({ id }) => id).filter((id) => chosen.has(id));

  function choose(id: string, isChosen: boolean): void {
    const others = [...chosen].filter((other) => other !== id);
    setChosen(new Set(isChosen ? [...others, id] : others));
  }

  async function revokeChosen(): Promise<void> {
    try {
      for (const id of ids) await unlessGone(call(keys.revokeApiKey, { id }));
      toast.success(
        ids.length === 1 ? "API Key revoked" : "API Keys revoked",
        `${ids.length === 1 ? "It stops" : "They stop"} working everywhere within two minutes.`,
      );
      onDone();
    } finally {
      void client.invalidateQueries({ queryKey: queries.keys.queryKey });
    }
  }

  return (
    <>
      <ul
        aria-label="API keys"
        className="max-h-[45dvh] divide-y divide-line overflow-y-auto overscroll-contain rounded-md border border-line"
      >
        {all.map((key) => (
          <Choice
            key={key.id}
            apiKey={key}
            now={now}
            checked={chosen.has(key.id)}
            onChange={(isChosen) => choose(key.id, isChosen)}
          />
        ))}
      </ul>
      <FormActions problem={problem} cancel={<Button variant="secondary">Keep all</Button>}>
        <Button variant="danger" busy={busy} disabled={ids.length === 0} onClick={() => run(revokeChosen)}>
          Revoke selected
        </Button>
      </FormActions>
    </>
  );
}

/**
 * Shown after a new password, which API keys outlive: someone who had the old one may have made some. Keys from a new
 * device are selected. Without working keys, it closes unseen.
 */
export function ReviewDialog({ onClose }: { onClose: () => void }) {
  const query = useQuery({ ...queries.keys, refetchOnMount: "always" });
  const working = query.data?.keys.filter(({ state }) => state !== "expired");
  // An earlier list may lack the very key this is about.
  const isPointless = query.isFetchedAfterMount && working?.length === 0;
  const close = useEffectEvent(onClose);
  useEffect(() => {
    if (isPointless) close();
  }, [isPointless]);
  if (!query.isFetchedAfterMount || isPointless) return null;
  return (
    <AlertDialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="md"
      title="Review your API keys"
      description="Your keys still work with the new password. If someone else knew the old one, revoke any key that you don’t recognize or whose limits you didn’t change."
      cancel={working === undefined ? <Button variant="secondary">Close</Button> : undefined}
    >
      <QueryState query={query} what="your keys" rows={2}>
        {() => <Choices all={working ?? []} now={query.dataUpdatedAt} onDone={onClose} />}
      </QueryState>
    </AlertDialog>
  );
}
