import { useState } from "react";
import { DeleteAccountRequest } from "../../../../contract/accounts.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { forgetDismissal } from "../../../components/dashboard/checklist.tsx";
import { useForm } from "../../../components/forms/use-form.ts";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog, DialogActions } from "../../../components/ui/dialog.tsx";
import { PasswordField } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { RETENTION } from "../../../content/retention.ts";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { call } from "../../../lib/api/call.ts";
import { ApiFailure, failureMessage } from "../../../lib/api/failure.ts";
import { endSession } from "../../../lib/session/end-session.ts";
import { toast } from "../../../lib/toast.ts";
import { atPasswordField } from "./change-password.tsx";

/** What the worker's schema takes away with the account. */
const ERASED = [
  "Your name, email address and password",
  "Every API key, test and live; calls with them are refused",
  "Your subscription, and what is left of a trial",
  "All usage figures and reports",
  "The links in mails we have sent you",
];

function DeleteForm() {
  const { id, email } = useAccount();
  const form = useForm({
    schema: DeleteAccountRequest,
    async submit(body) {
      await atPasswordField("password", call(accounts.deleteAccount, body));
      forgetDismissal(id);
      endSession("/");
      toast.success("Account deleted");
    },
    failed(error) {
      // A wrong password is told at its field.
      if (error instanceof ApiFailure && Object.keys(error.fields).length > 0) return;
      toast.error("Could not delete the account", failureMessage(error, "Try again in a moment."));
    },
  });
  return (
    <form {...form.props}>
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordField {...form.field("password")} label="Your password" autoComplete="current-password" required />
      <DialogActions cancel={<Button variant="secondary">Cancel</Button>}>
        <Button {...form.submitButton} variant="danger">
          Delete account
        </Button>
      </DialogActions>
    </form>
  );
}

export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const { email } = useAccount();
  return (
    <>
      <Button variant="secondary" className="border-invalid/45 text-invalid" onClick={() => setOpen(true)}>
        Delete account
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        size="md"
        title="Delete your account?"
        description={
          <>
            This erases <strong className="font-medium text-ink">{email}</strong> for good. Nobody can bring it back.
          </>
        }
      >
        <ul className="mb-5 divide-y divide-line border-y border-line text-soft">
          {ERASED.map((line) => (
            <li key={line} className="py-2.5">
              {line}
            </li>
          ))}
        </ul>
        <p className="mb-5 text-sm text-muted">
          Hashes of your keys stay for up to {RETENTION.revokedKeyDays} days, so that the keys go on being refused. The{" "}
          <TextLink to="/policy" className="text-ink">
            privacy policy
          </TextLink>{" "}
          names everything that is kept, and for how long.
        </p>
        <DeleteForm />
      </AlertDialog>
    </>
  );
}
