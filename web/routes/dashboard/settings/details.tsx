import { useMutation, useQueryClient } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ChangeAccountRequest } from "../../../../contract/accounts.ts";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { reports } from "../../../../contract/endpoints/reports.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { Field } from "../../../components/ui/input.tsx";
import { call, request } from "../../../lib/api/call.ts";
import { ApiFailure } from "../../../lib/api/failure.ts";
import { formatDate } from "../../../lib/format.ts";
import { queries } from "../../../lib/queries.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { DeleteAccount } from "./delete-account.tsx";
import { SettingsCard, SettingsFrame, Term, TermList } from "./settings-frame.tsx";

/** How long the export of a large account may take, in milliseconds. */
const EXPORT_MS = 600_000;

/** Saves everything stored about the account as a JSON file. */
function ExportButton() {
  const save = useMutation({
    mutationFn: () => request(reports.exportAccount, undefined, { timeout: EXPORT_MS }),
    onSuccess: ({ text }) => {
      const name = `checkline-account-${new Date().toISOString().slice(0, 10)}.json`;
      saveTextFile(name, text, "application/json");
    },
    onError(error) {
      toastFailure("Couldn’t export your data", error);
    },
  });
  return (
    <Button variant="secondary" busy={save.isPending} onClick={() => save.mutate()}>
      <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
      Export my data
    </Button>
  );
}

function NameForm({ onClose }: { onClose: () => void }) {
  const { name } = useAccount();
  const client = useQueryClient();
  const { queryKey } = queries.account;
  const form = useForm({
    schema: ChangeAccountRequest,
    async submit(body) {
      const account = await call(accounts.renameAccount, body);
      // A pending response could still have the old name.
      await client.cancelQueries({ queryKey });
      client.setQueryData(queryKey, account);
      toast.success("Name updated");
      onClose();
    },
    failed(error) {
      // A bad name is reported at its field.
      if (error instanceof ApiFailure && Object.keys(error.fields).length > 0) return;
      toastFailure("Couldn’t change the name", error);
    },
  });
  const { ref } = form.props;
  useEffect(() => {
    const input = ref.current?.querySelector("input");
    input?.focus();
    input?.select();
  }, [ref]);
  return (
    <form {...form.props} className="my-1 grid gap-3">
      <Field {...form.field("name")} label="Name" hideLabel autoComplete="name" defaultValue={name} required />
      <div className="flex gap-2">
        <Button {...form.submitButton} size="sm">
          Save
        </Button>
        <Button variant="secondary" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

function Name() {
  const { name } = useAccount();
  const [editing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  function close(): void {
    flushSync(() => setEditing(false));
    edit.current?.focus();
  }
  if (editing) return <NameForm onClose={close} />;
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="min-w-0 max-sm:pr-16">{name}</span>
      <Button
        ref={edit}
        variant="secondary"
        size="sm"
        aria-label="Edit name"
        className="-my-1.5 max-sm:absolute! max-sm:top-1/2 max-sm:right-5 max-sm:my-0 max-sm:-translate-y-1/2"
        onClick={() => setEditing(true)}
      >
        Edit
      </Button>
    </span>
  );
}

export const meta = () =>
  accountPageMeta("Settings", "/dashboard/settings", "Your Checkline account's name and email.");

export default function Details() {
  const { id, email, is_verified: isVerified, created_at: createdAt } = useAccount();
  return (
    <SettingsFrame>
      <SettingsCard title="Details">
        <TermList>
          <Term name="Name">
            <Name />
          </Term>
          <Term name="Email">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <span className="min-w-0">{email}</span>
              {isVerified && <Badge tone="verified">Verified</Badge>}
            </span>
          </Term>
          <Term name="Account ID">
            <span className="flex items-center justify-between gap-3">
              <code className="min-w-0 font-mono text-sm">{id}</code>
              <CopyButton text={id} label="Copy account ID" className="-my-2 -mr-2" />
            </span>
          </Term>
          <Term name="Member since">
            <time dateTime={createdAt}>{formatDate(createdAt)}</time>
          </Term>
        </TermList>
      </SettingsCard>
      <SettingsCard title="Your data" description="Everything we store about this account.">
        <p className="mb-4 text-soft">
          Your account, subscription, keys (without secrets), usage, and activity in one JSON file.
        </p>
        <ExportButton />
      </SettingsCard>
      <SettingsCard title="Delete account" description="Immediate and permanent.">
        <p className="mb-4 text-soft">Deletes your account, keys, subscription, and usage.</p>
        <DeleteAccount />
      </SettingsCard>
    </SettingsFrame>
  );
}
