import { CRONS } from "../../worker/operations/jobs.ts";

const MINUTE = 60_000;

/**
 * Whether a cron expression is due in the minute of a time, UTC. Fields are a number or `*`, alone or with a step,
 * which is all that wrangler.toml uses.
 * @throws for any other field
 */
export function isDue(cron: string, at: Date): boolean {
  const now = [at.getUTCMinutes(), at.getUTCHours(), at.getUTCDate(), at.getUTCMonth() + 1, at.getUTCDay()];
  return cron.split(" ").every((field, index) => {
    const step = /^\*\/(\d+)$/.exec(field)?.[1];
    if (step !== undefined) return now[index]! % Number(step) === 0;
    if (!/^(\*|\d+)$/.test(field)) throw new Error(`The local scheduler does not support ${cron}`);
    return field === "*" || Number(field) === now[index];
  });
}

/**
 * Triggers the worker's schedules like the platform does, since `wrangler dev` alone never would. A failed run shows in
 * the worker's log.
 * @param origin where the worker listens
 */
export function runSchedules(origin: string): void {
  const tick = async () => {
    const due = Object.keys(CRONS).filter((cron) => isDue(cron, new Date()));
    await Promise.allSettled(
      due.map((cron) => fetch(`${origin}/cdn-cgi/local/scheduled?cron=${encodeURIComponent(cron)}`)),
    );
  };
  setInterval(() => void tick(), MINUTE).unref();
}
