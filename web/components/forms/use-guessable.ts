import { useEffect, useRef } from "react";
import { guessableComplaint } from "../../../contract/passwords.ts";
import type { PasswordOwner } from "../../../contract/passwords.ts";

/**
 * The server's error for an easily guessed new password, for a form's `rules`. The list of common passwords is loaded
 * with the form; without it, only the server compares.
 */
export function useGuessable(): (password: string, owner: PasswordOwner) => string | null {
  const common = useRef<ReadonlySet<string>>(new Set());

  useEffect(() => {
    async function load(): Promise<void> {
      const { default: list } = await import("../../../contract/common-passwords.txt?raw");
      common.current = new Set(list.split("\n"));
    }
    load().catch(() => {});
  }, []);

  return (password, owner) => guessableComplaint(password, owner, (known) => common.current.has(known));
}
