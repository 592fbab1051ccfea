import { DAY_MS, utcDay } from "../platform/time.ts";
import type { LedgerAccount, LedgerHost } from "./account.ts";
import type { Entry, Use } from "./part.ts";
import { usedByChain } from "./usage.ts";

type Host = Pick<LedgerHost, "sql" | "now">;

/** What is used of the caps of these chains in a month, by root: until a cap is used, what its chain has verified. */
export function usedOfCaps(host: Host, { caps }: Readonly<LedgerAccount>, roots: readonly string[], month: string) {
  const known = caps[month] ?? {};
  const unused = roots.filter((root) => known[root] === undefined);
  const verified = unused.length > 0 ? usedByChain(host, unused, month) : {};
  return Object.fromEntries(roots.map((root) => [root, known[root] ?? verified[root] ?? 0]));
}

/** What is used of a limit. */
export function usedOf(host: Host, account: Readonly<LedgerAccount>, use: Use): number {
  if (use.kind === "quota") return account.quotas[use.startedAt] ?? 0;
  if (use.kind === "cap") return usedOfCaps(host, account, [use.root], use.month)[use.root]!;
  return account.tests[use.day] ?? 0;
}

/** The first limit that has no room for these entries. */
export function exceededBy(host: Host, account: Readonly<LedgerAccount>, entries: readonly Entry[]): Use | undefined {
  return entries
    .flatMap(({ uses }) => uses)
    .find((use) => {
      const used = usedOf(host, account, use);
      return used >= use.most || used + use.amount > use.most;
    });
}

/** Adds what entries use of limits. They must not be in `usage` yet. */
export function addUses(host: Host, account: LedgerAccount, entries: readonly Entry[]): void {
  const { quotas, caps, tests } = account;
  for (const use of entries.flatMap(({ uses }) => uses)) {
    if (use.kind === "test") tests[use.day] = usedOf(host, account, use) + use.amount;
    if (use.kind === "cap") (caps[use.month] ??= {})[use.root] = usedOf(host, account, use);
    if (use.kind === "quota") noteQuota(account, use);
  }
  // Quotas and caps count what is verified, also by calls whose isolate doesn't know of the limit.
  for (const { mode, day, startedAt, root, successful } of entries.flatMap(({ counts }) => counts)) {
    if (mode === "test") continue;
    quotas[startedAt] = (quotas[startedAt] ?? 0) + successful;
    const cap = caps[day.slice(0, 7)];
    if (cap?.[root] !== undefined) cap[root] += successful;
  }
}

/** Notes the quota of the latest subscription, whose plan may have changed meanwhile. */
function noteQuota(account: LedgerAccount, { startedAt, most }: Extract<Use, { kind: "quota" }>): void {
  const known = account.quota;
  if (known !== null && known.startedAt > startedAt) return;
  account.quota = { startedAt, most, notified: known?.startedAt === startedAt ? known.notified : 0 };
}

/** Drops days and months that no part can use. */
export function dropOldLimits({ now }: Host, { caps, tests }: LedgerAccount): void {
  const old = utcDay(now() - 40 * DAY_MS);
  for (const used of [caps, tests]) for (const day of Object.keys(used)) if (day < old) delete used[day];
}

/** Which notice is due, in percent of a quota: 100, 80, or 0 for none. The higher one covers both. */
export function dueQuotaNotice(used: number, limit: number): 0 | 80 | 100 {
  if (used >= limit) return 100;
  // In integers: 0.8 has no exact binary form.
  return 100 * used >= 80 * limit ? 80 : 0;
}

/** The purpose of the email that sends a notice, by its percentage: the ledger queues it, and `Email` writes it. */
export function quotaPurpose(percent: 80 | 100) {
  return `quota_${percent}` as const;
}
