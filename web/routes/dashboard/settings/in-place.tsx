import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { flushSync } from "react-dom";
import type { InferOutput } from "valibot";
import type { Account } from "../../../../contract/accounts.ts";
import type { BodySchema } from "../../../../contract/body.ts";
import { useForm } from "../../../components/forms/use-form.ts";
import { Button } from "../../../components/ui/button.tsx";
import { Field } from "../../../components/ui/input.tsx";
import type { FieldProps } from "../../../components/ui/input.tsx";
import { queries } from "../../../lib/queries.ts";
import { useDraft } from "../../../lib/session/draft.ts";
import { toastFormFailure } from "../../../lib/toast-failure.ts";

/** Shows an account that a call has returned, in the whole dashboard. */
export function useShowAccount(): (account: Account) => Promise<void> {
  const client = useQueryClient();
  const { queryKey } = queries.account;
  return async function show(account) {
    // A pending response could still have the old state.
    await client.cancelQueries({ queryKey });
    client.setQueryData(queryKey, account);
  };
}

interface FormProps<S extends BodySchema> {
  readonly schema: S;
  /** The form's only field, named as in the schema. */
  readonly field: FieldProps & { readonly name: string };
  readonly save: (body: InferOutput<S>) => Promise<void>;
  /** The title of a failure. */
  readonly failure: string;
}

interface OpenFormProps<S extends BodySchema> extends FormProps<S> {
  readonly draft: ReturnType<typeof useDraft>;
  readonly onClose: () => void;
}

function Form<S extends BodySchema>({ schema, field, save, failure, draft, onClose }: OpenFormProps<S>) {
  const [text, write] = draft;
  const form = useForm({
    schema,
    async submit(body) {
      await save(body);
      onClose();
    },
    failed: (error) => toastFormFailure(failure, error),
  });
  const { ref } = form.props;
  useEffect(() => {
    const input = ref.current?.querySelector("input");
    input?.focus();
    input?.select();
  }, [ref]);
  return (
    <form {...form.props} className="my-1 grid gap-3">
      <Field
        {...field}
        {...form.field(field.name)}
        defaultValue={text || field.defaultValue}
        onInput={({ currentTarget }) => write(currentTarget.value)}
        required
      />
      <div className="flex gap-2">
        <Button {...form.submitButton} size="sm">
          Save
        </Button>
        <Button variant="secondary" size="sm" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

interface InPlaceProps<S extends BodySchema> extends FormProps<S> {
  /** The accessible name of the button. */
  readonly label: string;
  readonly button: RefObject<HTMLButtonElement | null>;
  /** The value. */
  readonly children: ReactNode;
}

/** A value, with a button that replaces it by a form. When the form closes, the button gets focus. */
export function InPlace<S extends BodySchema>({ label, button, children, ...form }: InPlaceProps<S>) {
  // Half written, it's open again after an expired session.
  const draft = useDraft(label);
  const [text, write] = draft;
  const [editing, setEditing] = useState(text !== "");
  function close(): void {
    write("");
    flushSync(() => setEditing(false));
    button.current?.focus();
  }
  if (editing) return <Form {...form} draft={draft} onClose={close} />;
  return (
    <span className="flex items-center justify-between gap-3">
      <span className="min-w-0 max-sm:pr-16">{children}</span>
      <Button
        ref={button}
        variant="secondary"
        size="sm"
        aria-label={label}
        className="-my-1.5 max-sm:absolute! max-sm:top-1/2 max-sm:right-5 max-sm:my-0 max-sm:-translate-y-1/2"
        onClick={() => setEditing(true)}
      >
        Edit
      </Button>
    </span>
  );
}
