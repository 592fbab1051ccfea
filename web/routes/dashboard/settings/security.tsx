import { SESSION_DAYS } from "../../../../contract/limits.ts";
import { pageMeta } from "../../../lib/page-meta.ts";
import { ChangePassword } from "./change-password.tsx";
import { DeleteAccount } from "./delete-account.tsx";
import { SettingsCard, SettingsFrame } from "./settings-frame.tsx";
import { SignOutEverywhere } from "./sign-out-everywhere.tsx";

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
