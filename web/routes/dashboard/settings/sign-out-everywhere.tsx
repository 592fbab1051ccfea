import { useState } from "react";
import { AlertDialog } from "../../../components/ui/dialog.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { endOtherSessions } from "../../../lib/api/accounts.ts";
import { failureMessage } from "../../../lib/api/failure.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";

export function SignOutEverywhere() {
  const [open, setOpen] = useState(false);
  // No mutation: its cache would keep the answer, which is a session token.
  const { busy, run } = useAction();

  async function end(): Promise<void> {
    try {
      await endOtherSessions();
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
