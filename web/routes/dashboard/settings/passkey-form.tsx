import { useQuery } from "@tanstack/react-query";
import { AddPasskeyRequest } from "../../../../contract/second-factor.ts";
import { secondFactor } from "../../../../contract/endpoints/second-factor.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import { Button } from "../../../components/ui/button.tsx";
import { FormActions } from "../../../components/ui/dialog.tsx";
import { Field } from "../../../components/ui/input.tsx";
import { call } from "../../../lib/api/call.ts";
import { makePasskey, PasskeyFailure } from "../../../lib/passkey.ts";
import { queries } from "../../../lib/queries.ts";
import { toastFailure } from "../../../lib/toast-failure.ts";
import { toast } from "../../../lib/toast.ts";

/** Placeholders for validation before the browser has created anything. */
const NOT_YET = { challenge: "-", passkey: { id: "-" } };

/** A new passkey's name; the browser asks for the rest. */
export function PasskeyForm({ onAdded }: { onAdded: (codes: readonly string[] | null) => void }) {
  const { data: active } = useQuery(queries.sessions);
  const here = active?.sessions.find((session) => session.is_current)?.browser;
  const form = useForm({
    schema: AddPasskeyRequest,
    body: ({ name }) => ({ ...NOT_YET, name }),
    async submit({ name }) {
      const { challenge, options } = await call(secondFactor.passkeyOptions);
      const passkey = await makePasskey(options);
      onAdded((await call(secondFactor.addPasskey, { challenge, name, passkey })).recovery_codes);
    },
    failed(error) {
      const title = "Couldn’t add the passkey";
      if (error instanceof PasskeyFailure) toast.error(title, error.message);
      else toastFailure(title, error);
    },
  });
  return (
    <form {...form.props}>
      <Field
        {...form.field("name")}
        label="Name"
        hint="Example: “Work laptop.”"
        autoComplete="off"
        defaultValue={here === "Unknown browser" ? undefined : here}
        required
      />
      <FormActions cancel={<Button variant="secondary">Cancel</Button>}>
        <Button {...form.submitButton}>Continue</Button>
      </FormActions>
    </form>
  );
}
