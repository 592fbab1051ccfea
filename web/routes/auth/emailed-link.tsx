import { useEffect, useEffectEvent } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import * as v from "valibot";
import { createStore } from "../../lib/store.ts";

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

interface LoginRedirectProps {
  /** Milliseconds. */
  readonly after: number;
  /** Repeated by the login page, in case it disappeared too soon. */
  readonly notice: string;
  /** Offers to revoke keys after the login. */
  readonly reviewKeys?: boolean;
  /** Filled in on the login page. */
  readonly email?: string;
}

/**
 * Says that the login page comes next, and redirects there. Replaces this page in the history: a link with a used token
 * is useless to return to.
 */
export function LoginRedirect({ after, notice, reviewKeys, email }: LoginRedirectProps) {
  const state = { notice, reviewKeys, email };
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
