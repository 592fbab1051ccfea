import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiFailure, failureMessage } from "../../lib/api/failure.ts";
import { activateTrial } from "../../lib/api/dashboard.ts";
import { queries } from "../../lib/queries.ts";
import { toast } from "../../lib/toast.ts";

/** Starts the free trial, and says how it went. `onStarted` is called before what offers it is gone. */
export function useTrial(onStarted: () => void) {
  const client = useQueryClient();
  const { queryKey } = queries.subscription;
  const { mutate, isPending, error } = useMutation({
    mutationFn: activateTrial,
    async onSuccess(subscription) {
      toast.success("Trial activated");
      // An answer on its way could still be from before.
      await client.cancelQueries({ queryKey });
      onStarted();
      client.setQueryData(queryKey, subscription);
    },
    async onError(failure) {
      toast.error("Error activating trial", failureMessage(failure, "Try again in a moment."));
      // Started elsewhere meanwhile: what is shown is out of date.
      const isOutOfDate = failure instanceof ApiFailure && failure.code === "TRIAL_ALREADY_USED";
      if (isOutOfDate) await client.invalidateQueries({ queryKey });
    },
  });
  return {
    activate: () => mutate(),
    isActivating: isPending,
    /** The last try was refused because the address is not verified. */
    needsVerification: error instanceof ApiFailure && error.code === "EMAIL_NOT_VERIFIED",
  };
}
