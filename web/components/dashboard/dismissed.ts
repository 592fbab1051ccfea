/** The ids of accounts whose owner has put the checklist away, with spaces between them. */
const STORED_AS = "checklist-dismissed";

function read(): string[] {
  return (localStorage.getItem(STORED_AS) ?? "").split(" ").filter((account) => account !== "");
}

export function wasDismissed(account: string): boolean {
  try {
    return read().includes(account);
  } catch {
    return false;
  }
}

export function dismiss(account: string): void {
  try {
    localStorage.setItem(STORED_AS, [...read().filter((other) => other !== account), account].join(" "));
  } catch {
    // Storage is closed: it stays away for this page.
  }
}

/** For an account that is no more: its id is not kept either. */
export function forgetDismissal(account: string): void {
  try {
    const others = read().filter((other) => other !== account);
    if (others.length === 0) localStorage.removeItem(STORED_AS);
    else localStorage.setItem(STORED_AS, others.join(" "));
  } catch {
    // Storage is closed: nothing is kept in it.
  }
}
