export interface SubscriptionPeriod {
  readonly status: "active" | "ended";
  /** Milliseconds since the Unix epoch, or null for one that does not run out. */
  readonly expiresAt: number | null;
}

/** Whether a subscription holds now. Expiry is decided on reading, so no job has to run for a trial to end. */
export function isActive(subscription: SubscriptionPeriod | null, now: number): boolean {
  if (subscription === null || subscription.status !== "active") return false;
  return subscription.expiresAt === null || now < subscription.expiresAt;
}
