/** A limit as clients see it: this many per window of this many seconds. */
export interface RatePolicy {
  /** Letters, digits, and `-`. */
  readonly name: string;
  readonly limit: number;
  readonly windowSeconds: number;
}

/** What a limit still admits, after this call. */
export interface Room {
  readonly allowed: true;
  readonly remaining: number;
  /** Seconds until more than `remaining` is available. */
  readonly resetSeconds: number;
}

/** A limit that is used up. */
export interface NoRoom {
  readonly allowed: false;
  readonly retryAfterSeconds: number;
}

/** What a caller has left, whichever limiter reports it. */
export type RateState = Room | NoRoom;

/** A policy and what the caller has left of it. */
export interface PolicyState {
  readonly policy: RatePolicy;
  readonly state: RateState;
}

function limitItem({ policy: { name }, state }: PolicyState): string {
  if (!state.allowed) return `"${name}";r=0;t=${state.retryAfterSeconds}`;
  return `"${name}";r=${state.remaining};t=${state.resetSeconds}`;
}

/**
 * The header fields that report what a client has left of each policy (draft-ietf-httpapi-ratelimit-headers). `t` is in
 * seconds: after it more than `r` are free.
 */
export function rateLimitHeaders(states: readonly PolicyState[]): Record<string, string> {
  const policies = states.map(
    ({ policy: { name, limit, windowSeconds } }) => `"${name}";q=${limit};w=${windowSeconds}`,
  );
  return { "RateLimit-Policy": policies.join(", "), RateLimit: states.map(limitItem).join(", ") };
}
