import { useEffect, useEffectEvent, useId, useRef } from "react";
import type { ReactNode, RefObject } from "react";
import CircleAlert from "lucide-react/icons/circle-exclamation-point";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import * as v from "valibot";
import { MIN_PASSWORD_LENGTH } from "../../../contract/limits.ts";
import type { useForm } from "../../components/forms/use-form.ts";
import { PasswordField } from "../../components/ui/input.tsx";
import { TextLink } from "../../components/ui/link.tsx";
import { createStore } from "../../lib/store.ts";

/** Whether this is probably a desktop: on touch devices, a focused field would open a keyboard over half the page. */
function hasKeyboard(): boolean {
  return window.matchMedia("(hover: hover) and (pointer: fine)").matches;
}

/** Focuses the form's first field as the page opens, on desktops, unless something else has focus. */
export function useFirstField(form: RefObject<HTMLFormElement | null>): void {
  useEffect(() => {
    const isFree = document.activeElement === null || document.activeElement === document.body;
    if (isFree && hasKeyboard()) form.current?.querySelector("input")?.focus();
  }, [form]);
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
    <div className="mb-8">
      <h1 ref={heading} tabIndex={-1} className="text-title outline-none">
        {title}
      </h1>
      {children && <p className="mt-3 text-soft">{children}</p>}
    </div>
  );
}

/** Below the forms of a password reset. */
export function BackToLogin() {
  return (
    <p className="mt-8 border-t border-line pt-5 text-sm">
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

const browser = createStore(false, () => true);

const LinkState = v.object({ token: v.string() });

/**
 * The emailed link's token: null without one, undefined in prerendered HTML, where it is unknown. Moved from the
 * address to this history entry's state, where a reload finds it but it does not show on screen or in screenshots.
 */
export function useLinkToken(): string | null | undefined {
  const [query] = useSearchParams();
  const { pathname, state } = useLocation();
  const navigate = useNavigate();
  const isHere = browser.use();
  const linked = query.get("token");

  useEffect(() => {
    if (linked !== null) void navigate(pathname, { replace: true, state: { token: linked } });
  }, [linked, navigate, pathname]);

  if (!isHere) return undefined;
  const token = linked ?? (v.is(LinkState, state) ? state.token : "");
  return token.trim() || null;
}

interface StatusViewProps {
  /** Above the title: the kind of news. */
  readonly icon?: ReactNode;
  readonly title: string;
  /** What it means, in a sentence or two. */
  readonly children?: ReactNode;
  /** Where to go from here. */
  readonly actions?: ReactNode;
  /** Whether the title gets focus: if the view has replaced the focused element. */
  readonly focused?: boolean;
  /** Whether this is a dead end, with its icon and the drawing beside it struck through. */
  readonly failed?: boolean;
}

/** An outcome that replaces its form. If focused, the title is announced together with its text. */
export function StatusView({ icon, title, children, actions, focused = false, failed = false }: StatusViewProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const text = useId();

  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [focused]);

  const shown = failed ? <CircleAlert aria-hidden="true" className="size-7 text-muted" strokeWidth={1.25} /> : icon;
  return (
    <>
      {shown && <div className="mb-5 flex h-8 items-center">{shown}</div>}
      {failed && <span data-failed hidden />}
      <h1 ref={heading} tabIndex={-1} aria-describedby={text} className="text-title outline-none">
        {title}
      </h1>
      <div id={text} className="mt-4 space-y-3 text-soft">
        {children}
      </div>
      {actions && <div className="mt-8 flex flex-wrap gap-3">{actions}</div>}
    </>
  );
}

interface LoginRedirectProps {
  /** Milliseconds. */
  readonly after: number;
  /** Repeated by the login page, in case it disappeared too soon. */
  readonly notice: string;
  /** The message of the page after the login. */
  readonly afterLogin?: string;
}

/**
 * Says that the login page comes next, and redirects there. Replaces this page in the history: a link with a used token
 * is useless to return to.
 */
export function LoginRedirect({ after, notice, afterLogin }: LoginRedirectProps) {
  const state = { notice, afterLogin };
  const navigate = useNavigate();
  const go = useEffectEvent(() => void navigate("/login", { replace: true, state }));

  useEffect(() => {
    const timer = setTimeout(() => go(), after);
    return () => clearTimeout(timer);
  }, [after]);

  return (
    <p>
      Redirecting to login...{" "}
      <Link to="/login" replace state={state} className="text-link whitespace-nowrap text-ink">
        Go now
      </Link>
    </p>
  );
}
