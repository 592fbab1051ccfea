import { useEffect, useRef, useState } from "react";
import type { ReactNode, RefObject } from "react";
import { useLocation } from "react-router";
import { clsx } from "clsx";
import { accounts } from "../../../contract/endpoints/accounts.ts";
import { MIN_PASSWORD_LENGTH } from "../../../contract/limits.ts";
import type { useForm } from "../../components/forms/use-form.ts";
import { PasswordField } from "../../components/ui/input.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { call } from "../../lib/api/call.ts";
import { failureMessage } from "../../lib/api/failure.ts";
import { toast } from "../../lib/toast.ts";

/** Whether this is probably a desktop: on touch devices, a focused field would open a keyboard over half the page. */
function hasKeyboard(): boolean {
  return window.matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/**
 * Focuses the form's first empty field as the page opens, on desktops, unless something else has focus or something
 * else comes first.
 */
export function useFirstField(form: RefObject<HTMLFormElement | null>, comesFirst = true): void {
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (!comesFirst || !isFree || !hasKeyboard()) return;
    const fields = [...(form.current?.querySelectorAll("input") ?? [])];
    (fields.find(({ value }) => value === "") ?? fields[0])?.focus();
  }, [form, comesFirst]);
}

/**
 * The heading of a form's page and a line about it. On touch devices, where no field gets focus, the heading does after
 * navigation.
 */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();

  useEffect(() => {
    // Screen readers announce the first page of a visit themselves.
    if (key !== "default" && !hasKeyboard()) heading.current?.focus();
  }, [key]);

  return (
    <div className="mb-6">
      <h1 ref={heading} tabIndex={-1} className="text-title outline-none">
        {title}
      </h1>
      {children && <p className="mt-2 text-soft">{children}</p>}
    </div>
  );
}

interface SendAgainProps {
  /** Requests another email, and returns what to say about it. */
  readonly send: () => Promise<string>;
  readonly children: ReactNode;
}

/** A button within a sentence that has an email sent again. */
export function SendAgain({ send, children }: SendAgainProps) {
  const [busy, setBusy] = useState(false);
  async function again(): Promise<void> {
    if (busy) return;
    setBusy(true);
    try {
      toast.success(await send());
    } catch (error) {
      toast.error(failureMessage(error, "Could not send the email"));
    } finally {
      setBusy(false);
    }
  }
  return (
    <button
      type="button"
      aria-disabled={busy}
      className={clsx("text-link", busy && "cursor-progress! opacity-60")}
      onClick={() => void again()}
    >
      {children}
    </button>
  );
}

/** Requests the email of a registration again, and returns the server's message. */
export async function resendVerification(email: string): Promise<string> {
  return (await call(accounts.resendVerification, { email })).message;
}

/** Below the forms of a password reset. */
export function BackToLogin() {
  return (
    <p className="mt-6 border-t border-line pt-3 text-sm">
      <TextLink to="/login" className="inline-flex min-h-11 items-center">
        Back to login
      </TextLink>
    </p>
  );
}

interface NewPasswordFieldsProps {
  readonly form: Pick<ReturnType<typeof useForm>, "field">;
  readonly name: "password" | "new_password";
  readonly minLength?: number;
}

/** A new password, twice. */
export function NewPasswordFields({ form, name, minLength }: NewPasswordFieldsProps) {
  const common = { autoComplete: "new-password", required: true, ...(minLength && { minLength }) } as const;
  const isNew = name === "new_password";
  return (
    <>
      <PasswordField
        {...form.field(name)}
        label={isNew ? "New password" : "Password"}
        hint={`At least ${MIN_PASSWORD_LENGTH} characters`}
        {...common}
      />
      <PasswordField
        {...form.field("confirm_password")}
        label={isNew ? "Confirm new password" : "Confirm password"}
        {...common}
      />
    </>
  );
}
