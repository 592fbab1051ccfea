import { createContext, use } from "react";
import type { Account } from "../../../contract/accounts.ts";

export const AccountContext = createContext<Account | null>(null);

/** The logged-in account. Everything inside the dashboard's shell has one. */
export function useAccount(): Account {
  const account = use(AccountContext);
  if (account === null) throw new Error("useAccount works within the dashboard's shell only");
  return account;
}
