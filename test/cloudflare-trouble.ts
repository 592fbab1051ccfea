/** What goes wrong in the account, changed by a test as it likes. */
export interface Trouble {
  signedOut: boolean;
  /** Workers Free; "without queues" as before February 2026. */
  plan: "paid" | "free" | "free without queues";
  migration: boolean;
  /** Newly uploaded versions do not work. */
  code: boolean;
  /** `deploy` fails after it has given the new version the traffic. */
  triggers: boolean;
  rollback: boolean;
  /** How many calls the version before still answers after the traffic has moved. */
  propagation: number;
}

/** An account in which everything goes well. */
export function noTrouble(): Trouble {
  return {
    signedOut: false,
    plan: "paid",
    migration: false,
    code: false,
    triggers: false,
    rollback: false,
    propagation: 0,
  };
}
