import { useEffect, useEffectEvent } from "react";
import { Link, useNavigate } from "react-router";

interface Props {
  /** Milliseconds. */
  readonly after: number;
  /** What the login page goes on saying, for those who could not read it in time. */
  readonly notice: string;
}

/**
 * Says that the login page comes next, and goes there. It takes this page's place in the history: a link with a spent token is nothing
 * to come back to.
 */
export function LoginRedirect({ after, notice }: Props) {
  const navigate = useNavigate();
  const go = useEffectEvent(() => void navigate("/login", { replace: true, state: { notice } }));

  useEffect(() => {
    const timer = setTimeout(() => go(), after);
    return () => clearTimeout(timer);
  }, [after]);

  return (
    <p>
      Redirecting to login...{" "}
      <Link to="/login" replace state={{ notice }} className="text-link whitespace-nowrap text-ink">
        Go now
      </Link>
    </p>
  );
}
