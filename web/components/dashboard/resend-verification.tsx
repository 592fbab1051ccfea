import { useMutation, useQueryClient } from "@tanstack/react-query";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { call } from "../../lib/api/call.ts";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";
import { queries } from "../../lib/queries.ts";
import { toast } from "../../lib/toast.ts";
import { Button } from "../ui/button.tsx";
import type { ButtonLook } from "../ui/button.tsx";

/** Asks for another mail with the link that verifies the address. */
export function ResendVerification({ variant = "secondary" }: Pick<ButtonLook, "variant">) {
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: () => call(accounts.resendVerification),
    onSuccess({ message }) {
      toast.success("Verification email sent", message);
    },
    async onError(error) {
      if (error instanceof ApiFailure && error.code === "ALREADY_VERIFIED") {
        // The link was opened elsewhere meanwhile.
        toast.success(error.message);
        await client.invalidateQueries({ queryKey: queries.account.queryKey });
      } else {
        toast.error("Could not send the email", failureMessage(error, "Try again in a moment."));
      }
    },
  });
  return (
    <Button variant={variant} size="sm" busy={resend.isPending} onClick={() => resend.mutate()}>
      Resend verification email
    </Button>
  );
}
