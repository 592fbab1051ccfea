import { useMutation } from "@tanstack/react-query";
import Download from "lucide-react/icons/download";
import { reports } from "../../../../contract/endpoints/reports.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { ResendVerification } from "../../../components/dashboard/subscription-warning.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { request } from "../../../lib/api/call.ts";
import { formatDate } from "../../../lib/format.ts";
import { saveTextFile } from "../../../lib/save-file.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
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

export const meta = () =>
  accountPageMeta("Settings", "/dashboard/settings", "Your Checkline account's name and email.");

export default function Details() {
  const { name, email, is_verified: isVerified, created_at: createdAt } = useAccount();
  return (
    <SettingsFrame>
      <SettingsCard title="Details" description="Your name and email.">
        <TermList>
          <Term name="Name">{name}</Term>
          <Term name="Email">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <span className="min-w-0">{email}</span>
              <Badge tone={isVerified ? "verified" : "possible"}>{isVerified ? "Verified" : "Unverified"}</Badge>
            </span>
            {!isVerified && (
              <div className="mt-3 mb-1.5">
                <p className="mb-3 text-sm text-muted">
                  Click the link in the email we sent you. You need a verified email to start the trial.
                </p>
                <ResendVerification />
              </div>
            )}
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
    </SettingsFrame>
  );
}
