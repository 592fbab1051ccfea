import { useEffect, useState } from "react";

/** Whether something has been pending for this many milliseconds. */
export function useLate(isPending: boolean, after: number): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isPending) return;
    const timer = setTimeout(() => setLate(true), after);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isPending, after]);
  return isPending && isLate;
}
