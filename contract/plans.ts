/** What a plan includes. Adding a plan is adding a row. */
interface PlanTerms {
  readonly name: string;
  /** How long it lasts once activated; null for no end. */
  readonly days: number | null;
  /** Successful live verifications in that time; null for no limit. */
  readonly quota: number | null;
  /** At least 60, per account, all live keys together. A batch is one request, and goes through while there is room for one number. */
  readonly requestsPerMinute: number;
  readonly numbersPerMinute: number;
}

/** The plans that live keys are billed under, by id. */
export const PLANS = {
  trial: { name: "Free trial", days: 14, quota: 1_000, requestsPerMinute: 60, numbersPerMinute: 1_000 },
  pro: { name: "Pro", days: null, quota: null, requestsPerMinute: 600, numbersPerMinute: 60_000 },
} as const satisfies Readonly<Record<string, PlanTerms>>;

export type Plan = keyof typeof PLANS;
export const PLAN_IDS = Object.keys(PLANS) as [Plan, ...Plan[]];

/** A plan's terms; undefined for one that a later version has stored. */
export function planTerms(id: string): PlanTerms | undefined {
  return Object.hasOwn(PLANS, id) ? PLANS[id as Plan] : undefined;
}

/** The plan that each account can activate once. */
export const TRIAL = PLANS.trial;

/** What the limiter and the meter need of a plan. */
export type PlanLimits = Pick<PlanTerms, "quota" | "requestsPerMinute" | "numbersPerMinute">;

/** What all test keys of an account share, whatever its plan. */
export const TEST_LIMITS = { quota: null, requestsPerMinute: 60, numbersPerMinute: 600 } as const satisfies PlanLimits;
