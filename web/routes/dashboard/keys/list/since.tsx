import { useEffect, useState } from "react";
import { absoluteTime, relativeTime } from "../../../../lib/relative-time.ts";

const MINUTE_MS = 60_000;

/** A time as "3 hours ago", kept true while the page is open; its title has it in full. */
export function Since({ time, className }: { time: string; className?: string }) {
  const [now, setNow] = useState(Date.now);
  const at = Date.parse(time);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={time} title={absoluteTime(at)} className={className}>
      {relativeTime(at, now)}
    </time>
  );
}
