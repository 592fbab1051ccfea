import { useQuery } from "@tanstack/react-query";
import type { KeyMode } from "../../../../../contract/limits.ts";
import { queries } from "../../../../lib/queries.ts";

function Left({ count }: { count: number }) {
  const { data } = useQuery(queries.subscription);
  const left = data?.quota.remaining ?? null;
  if (left === null) return null;
  const isShort = left < count;
  return (
    <span className={isShort ? "text-possible" : undefined}>
      {" "}
      This account has {left.toLocaleString("en-US")} left{isShort && "; the check stops when they are used up"}.
    </span>
  );
}

/** What the check will cost, said before it begins. */
export function StartNote({ mode, count }: { mode: KeyMode | null; count: number }) {
  if (mode === null || count === 0) return null;
  return (
    <p className="border-l-2 border-edge pl-3 text-sm text-soft">
      {mode === "test" ? (
        "A test key answers from the sandbox: invalid numbers come as its failures, and nothing counts against the quota."
      ) : (
        <>
          A live key uses quota: one for each valid number, up to {count.toLocaleString("en-US")} here. Invalid numbers
          are free.
          <Left count={count} />
        </>
      )}
    </p>
  );
}
