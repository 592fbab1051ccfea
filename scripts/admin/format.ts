import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import type {
  AccountOverview,
  busiestAccounts,
  findAccounts,
  listAccounts,
} from "../../worker/administration/administer.ts";
import type { DeadLetter } from "../../worker/operations/dead-letters.ts";

const LONGEST_BODY = 160;

/** Formats "2026-01-02T03:04:05.678Z" as "2026-01-02 03:04 UTC". */
export function formatTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** Aligns cells in columns separated by two spaces. */
export function formatColumns(rows: readonly (readonly string[])[], indent = ""): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows
    .map((row) => indent + row.map((cell, column) => cell.padEnd(widths[column]!)).join("  "))
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
}

/** A subscription in one line: status, plan, end, and quota. */
export function formatSubscription(subscription: AccountOverview["subscription"]): string {
  const { status, plan, expires_at: end, quota } = subscription;
  if (status === "none") return "none";
  const ends = end === null ? "no end" : `${status === "active" ? "until" : "was to end"} ${formatTime(end)}`;
  return `${status}, ${plan}, ${ends}, ${quota.limit === null ? "no quota" : `quota ${quota.limit}`}`;
}

function formatKeys(keys: AccountOverview["keys"][KeyMode]): string {
  const rows = keys.map(({ id, hint, name, created_at: created }) => [
    id,
    `…${hint}`,
    `created ${formatTime(created)}`,
    name,
  ]);
  return formatColumns(rows, "  ");
}

const USAGE_NOTE = `Usage is from the ledger's last report: up to ten minutes old after a month's first call, later an hour or a tenth behind.
`;

/** An account, for operators. */
export function formatAccount(account: AccountOverview): string {
  const { verified_at: verified, suspended_at: suspended, keys, usage } = account;
  const usageIn = (mode: KeyMode) =>
    usage === null ? "unknown" : `${usage[mode].total} total, ${usage[mode].successful} successful`;
  const head = formatColumns([
    ["Email", account.email],
    ["Name", account.name],
    ["Id", account.id],
    ["Created", formatTime(account.created_at)],
    ["Verified", verified === null ? "no" : formatTime(verified)],
    ["Suspended", suspended === null ? "no" : `since ${formatTime(suspended)}`],
    ["Subscription", formatSubscription(account.subscription)],
    ["Quota used", String(account.subscription.quota.used ?? "unknown")],
    ...KEY_MODES.map((mode) => [`Usage, ${mode}`, usageIn(mode)]),
  ]);
  const lists = KEY_MODES.map((mode) => `Active ${mode} keys: ${keys[mode].length}\n${formatKeys(keys[mode])}`);
  return [head + USAGE_NOTE, ...lists].join("\n");
}

/** Accounts, one per line. */
export function formatAccounts({ accounts, total }: Awaited<ReturnType<typeof listAccounts>>): string {
  if (total === 0) return "There are no accounts.\n";
  const rows = accounts.map((account) => [
    account.email,
    account.id,
    account.plan ?? "no plan",
    formatTime(account.created_at),
    [account.is_verified ? "" : "unverified", account.is_suspended ? "suspended" : ""].filter(Boolean).join(", "),
  ]);
  const more = total > accounts.length ? `The newest ${accounts.length} of ${total}.\n` : "";
  return formatColumns(rows) + more;
}

/** Dead letters, one per line, with the start of their bodies. */
export function formatDeadLetters(letters: readonly DeadLetter[], limit: number): string {
  if (letters.length === 0) return "There are no dead letters.\n";
  const rows = letters.map(({ id, queue, body, receivedAt }) => [
    formatTime(new Date(receivedAt).toISOString()),
    queue,
    id,
    body.length > LONGEST_BODY ? `${body.slice(0, LONGEST_BODY)}…` : body,
  ]);
  const more = letters.length === limit ? `The oldest ${limit}; there may be more.\n` : "";
  return formatColumns(rows) + more;
}

/** Accounts and keys that a search found, one key per line. */
export function formatFound(found: Awaited<ReturnType<typeof findAccounts>>): string {
  if (found.length === 0) return "Nothing was found.\n";
  return formatColumns(
    found.map(({ email, id, suspended_at: suspended, key }) => [
      email,
      id,
      ...(key === null ? ["no keys"] : [key.id, `…${key.hint}`, key.mode, key.revoked_at === null ? "" : "revoked"]),
      suspended === null ? "" : "suspended",
    ]),
  );
}

/** The busiest accounts, one per line. */
export function formatTop(busiest: Awaited<ReturnType<typeof busiestAccounts>>): string {
  if (busiest.length === 0) return "No account has reported any use this month.\n";
  const count = (value: number) => value.toLocaleString("en-US");
  return formatColumns([
    ["this month", "live", "invalid", "test"],
    ...busiest.map(({ email, live, live_invalid: invalid, test }) => [email, count(live), count(invalid), count(test)]),
  ]);
}
