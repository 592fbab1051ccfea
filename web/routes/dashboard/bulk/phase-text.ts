import type { Phase } from "./run.ts";

function numbers(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "number" : "numbers"}`;
}

/** What is going on, in a sentence that does not change while it goes on, so that it can be read out. */
export function phaseText(phase: Phase, left: number): string {
  switch (phase.name) {
    case "running":
      return "Checking";
    case "waiting":
      return WAITING[phase.reason];
    case "pausing":
      return "Pausing after the call that is on its way";
    case "paused":
      if (phase.reason === "asked") return "Paused";
      return `Paused. ${phase.message} Resume when it is there again; nothing is counted twice.`;
    case "stopped":
      return `${phase.message} ${numbers(left)} ${left === 1 ? "was" : "were"} not checked.`;
    case "cancelled":
      return `Cancelled. ${numbers(left)} ${left === 1 ? "was" : "were"} not checked. A call that was on its way may have been counted.`;
    case "done":
      return "Done";
  }
}

const WAITING = {
  "rate-limit": "Waiting for the rate limit",
  connection: "No connection. Trying again",
  service: "The service could not answer. Trying again",
} as const;

/** Seconds until the end of a wait. */
export function secondsLeft(until: number, now: number): number {
  return Math.max(0, Math.ceil((until - now) / 1000));
}
