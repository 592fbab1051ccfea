import { useRef, useState } from "react";
import { accounts } from "../../../../contract/endpoints/accounts.ts";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { forgetDismissal } from "../../../components/dashboard/checklist.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/input.tsx";
import { TextLink } from "../../../components/ui/link.tsx";
import { call } from "../../../lib/api/call.ts";
import { endSession } from "../../../lib/session/end-session.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";

/** What the worker's schema deletes with the account. */
const ERASED = [
  "Your name, email, and password",
  "All API keys, test and live. Calls with them will fail.",
  "Your subscription, including an unused trial",
  "Passkeys, authenticator app, recovery codes, and security events",
  "All usage data and reports",
  "The links in emails we sent you",
];

/** Erases the account, once its email has been typed. */
export function DeleteAccount() {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const keep = useRef<HTMLButtonElement>(null);
  const { busy, run } = useAction((error) => toastFailure("Couldn’t delete the account", error));
  const { id, email } = useAccount();

  function ask(): void {
    setTyped("");
    setOpen(true);
  }

  async function erase(): Promise<void> {
    // Before the password prompt, which may come next.
    setOpen(false);
    await call(accounts.deleteAccount);
    forgetDismissal(id);
    endSession("/");
    toast.success("Account deleted");
  }

  return (
    <>
      <Button variant="secondary" size="sm" className="border-invalid/45 text-invalid" busy={busy} onClick={ask}>
        Delete account
      </Button>
      <AlertDialog
        open={open}
        onOpenChange={setOpen}
        size="md"
        title="Delete your account?"
        description={
          <>
            This permanently deletes <strong className="font-medium text-ink">{email}</strong>. This can’t be undone.
          </>
        }
        initialFocus={keep}
        cancel={
          <Button ref={keep} variant="secondary">
            Cancel
          </Button>
        }
        actions={
          <Button variant="danger" disabled={typed.trim().toLowerCase() !== email} onClick={() => run(erase)}>
            Delete account
          </Button>
        }
      >
        <ul className="mb-5 divide-y divide-line border-y border-line text-soft">
          {ERASED.map((line) => (
            <li key={line} className="py-1.5">
              {line}
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted">
          We keep only hashes of your keys, so they can’t be reused. The hashes aren’t linked to you. The{" "}
          <TextLink to="/policy" className="text-ink">
            privacy policy
          </TextLink>{" "}
          lists everything we keep and for how long.
        </p>
        <Field
          className="mt-5"
          label="Type your email to confirm"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </AlertDialog>
    </>
  );
}
