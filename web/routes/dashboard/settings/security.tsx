import { useState } from "react";
import { SESSION_DAYS } from "../../../../contract/limits.ts";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { call } from "../../../lib/api/call.ts";
import { renewing } from "../../../lib/session/token.ts";
import { failureMessage } from "../../../lib/api/failure.ts";
import { pageMeta } from "../../../lib/page-meta.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { ChangePassword } from "./change-password.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { SettingsCard, SettingsFrame } from "./settings-frame.tsx";

function SignOutEverywhere() {
  const [open, setOpen] = useState(false);
  // No mutation: its cache would keep the answer, which is a session token.
  const { busy, run } = useAction();

  async function end(): Promise<void> {
    try {
      await renewing(call(accounts.revokeSessions));
      setOpen(false);
      toast.success("Signed out everywhere else");
    } catch (error) {
      toast.error("Could not end the other sessions", failureMessage(error, "Try again in a moment."));
    }
  }

  return (
    <>
      <Button variant="secondary" onClick={() => setOpen(true)}>
        Sign out everywhere
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        title="Sign out everywhere?"
        description="Every other browser and device is signed out at once. This browser stays signed in, and API keys keep working."
        cancel={<Button variant="secondary">Cancel</Button>}
        actions={
          <Button busy={busy} onClick={() => run(end)}>
            Sign out everywhere
          </Button>
        }
      />
    </>
  );
}

export function meta() {
  return pageMeta({
    title: "Security · Checkline",
    description: "Password, sessions and deletion of your Checkline account.",
    path: "/dashboard/settings/security",
    indexed: false,
  });
}

export default function Security() {
  return (
    <SettingsFrame>
      <SettingsCard
        title="Change password"
        description="Every other browser and device is signed out. This one stays signed in."
      >
        <ChangePassword />
      </SettingsCard>
      <SettingsCard title="Sessions" description={`A session ends by itself after ${SESSION_DAYS} days.`}>
        <p className="mb-4 text-soft">
          Have you signed in on a device that is not yours, or that you no longer have? End every session but this one.
        </p>
        <SignOutEverywhere />
      </SettingsCard>
      <SettingsCard title="Delete account" description="At once, and for good.">
        <p className="mb-4 text-soft">Erases the account with its keys, subscription and usage.</p>
        <DeleteAccount />
      </SettingsCard>
    </SettingsFrame>
  );
}
