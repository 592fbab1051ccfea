import { useEffect, useRef } from "react";
import { guessableComplaint } from "../../../contract/passwords.ts";
import type { PasswordOwner } from "../../../contract/passwords.ts";
import { unpackWords } from "../../../contract/word-list.ts";

/**
 * What the server will say of a new password that is easy to guess, for a form's `rules`. The list of the commonest ones is fetched
 * once the form is there; without it the server alone compares.
 */
export function useGuessable(): (password: string, owner: PasswordOwner) => string | null {
  const common = useRef<ReadonlySet<string>>(new Set());

  useEffect(() => {
    async function load(): Promise<void> {
      const { COMMON_PASSWORDS } = await import("../../../contract/common-passwords.ts");
      common.current = new Set(unpackWords(COMMON_PASSWORDS));
    }
    load().catch(() => {});
  }, []);

  return (password, owner) => guessableComplaint(password, owner, (known) => common.current.has(known));
}
