/**
 * How long things are kept, as the privacy policy states it. The worker has its own constants; worker/retention.test.ts compares
 * them, so that a change there cannot leave the policy behind.
 */
export const RETENTION = {
  /** Ids of calls with an Idempotency-Key, which make a retry count once. */
  callHours: 48,
  /** Calls that the dashboard lists. */
  activityDays: 30,
  /** Accounts whose address nobody has verified. */
  unverifiedDays: 30,
  /** Rows of mailed links after they have expired. */
  expiredLinkDays: 7,
  /** Attempt counters, at most. */
  attemptHours: 24,
  /** The mark that someone logged in to an account from an address. */
  knownAddressDays: 30,
  /** What happened to an account's security. */
  securityEventDays: 90,
  /** The hash that keeps a trial to one for a person, after the account is deleted. */
  trialDays: 365,
  /** How many trials a domain had, and a network or all names that a domain gives away. */
  domainTrialsDays: 365,
  networkTrialsDays: 30,
  /** How often what has run out is deleted. */
  deleted: "every hour",
} as const;
