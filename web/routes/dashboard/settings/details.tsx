import { useAccount } from "../../../components/dashboard/account-context.ts";
import { ResendVerification } from "../../../components/dashboard/subscription-warning.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { longDate } from "../../../lib/format.ts";
import { accountPageMeta } from "../../../lib/page-meta.ts";
import { SettingsCard, SettingsFrame, Term, TermList } from "./settings-frame.tsx";

export const meta = () =>
  accountPageMeta("Settings", "/dashboard/settings", "Name, email address and age of your Checkline account.");

export default function Details() {
  const { name, email, is_verified: isVerified, created_at: createdAt } = useAccount();
  return (
    <SettingsFrame>
      <SettingsCard title="Details" description="Who this account belongs to.">
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
                  Open the link in the mail to this address. The free trial needs it to be verified.
                </p>
                <ResendVerification />
              </div>
            )}
          </Term>
          <Term name="Member since">
            <time dateTime={createdAt}>{longDate(createdAt)}</time>
          </Term>
        </TermList>
      </SettingsCard>
    </SettingsFrame>
  );
}
