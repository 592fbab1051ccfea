import { useMutation } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { useRef } from "react";
import { ChangeAccountRequest } from "../../../../contract/accounts.ts";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { reports } from "../../../../contract/endpoints/reports.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { Button } from "../../../components/ui/button.tsx";
import { CopyButton } from "../../../components/ui/copy-button.tsx";
import { call, request } from "../../../lib/api/call.ts";
import { formatDate } from "../../../lib/format.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { DeleteAccount } from "./delete-account.tsx";
import { EmailTerms } from "./email.tsx";
import { InPlace, useShowAccount } from "./in-place.tsx";
import { ActionCard, SettingsCard, SettingsFrame, Term, TermList } from "./settings-frame.tsx";

/** How long the export of a large account may take, in milliseconds. */
const EXPORT_MS = 600_000;

/** Saves everything stored about the account as a JSON file. */
function ExportButton() {
  const save = useMutation({
    mutationFn: () => request(reports.exportAccount, undefined, { timeout: EXPORT_MS }),
    onSuccess: ({ text }) =>
      saveTextFile(`checkline-account-${new Date().toISOString().slice(0, 10)}.json`, text, "application/json"),
    onError: (error) => toastFailure("Couldn’t export your data", error),
  });
  return (
    <Button variant="secondary" size="sm" busy={save.isPending} onClick={() => save.mutate()}>
      <Download aria-hidden="true" className="size-4" strokeWidth={1.5} />
      Export my data
    </Button>
  );
}

function Name() {
  const { name } = useAccount();
  const edit = useRef<HTMLButtonElement>(null);
  const show = useShowAccount();
  return (
    <InPlace
      label="Edit name"
      button={edit}
      schema={ChangeAccountRequest}
      field={{ name: "name", label: "Name", hideLabel: true, autoComplete: "name", defaultValue: name }}
      save={async (body) => {
        await show(await call(accounts.renameAccount, body));
        toast.success("Name updated");
      }}
      failure="Couldn’t change the name"
    >
      {name}
    </InPlace>
  );
}

export const meta = () =>
  accountPageMeta("Settings", "/dashboard/settings", "Your Checkline account's name and email.");

export default function Details() {
  const { id, created_at: createdAt } = useAccount();
  return (
    <SettingsFrame>
      <SettingsCard title="Profile">
        <TermList>
          <Term name="Name">
            <Name />
          </Term>
          <EmailTerms />
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
        <ActionCard text="Your account, subscription, keys (without secrets), usage, and activity in one JSON file.">
          <ExportButton />
        </ActionCard>
      </SettingsCard>
      <SettingsCard title="Delete account" description="Immediate and permanent.">
        <ActionCard text="Deletes your account, keys, subscription, and usage.">
          <DeleteAccount />
        </ActionCard>
      </SettingsCard>
    </SettingsFrame>
  );
}
