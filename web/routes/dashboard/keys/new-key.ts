import type { InferInput, InferOutput } from "valibot";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keys } from "../../../../contract/endpoints/keys.ts";
import type { CreatedKey, CreateKeyRequest } from "../../../../contract/keys.ts";
import { call } from "../../../lib/api/call.ts";
import { ApiFailure, failureMessage, isAboutFields } from "../../../lib/api/failure.ts";
import { queries } from "../../../lib/queries.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { wasCalledOff } from "../../../lib/session/password-prompt.ts";
import { readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import { toast } from "../../../lib/toast.ts";

export interface NewKey extends InferOutput<typeof CreatedKey> {
  /** The account's first key: a first request is sent with it. */
  readonly isFirst?: boolean;
}

/**
 * The key to show once, held only here; null when there is none. In memory, with the drafts: if the session expires
 * while it is shown, it is hidden until its owner logs in again, and logging out deletes it.
 */
export const newKey = createStore<NewKey | null>(null);

onForgetDrafts(newKey.reset);

let shown = 0;

/** Marks the key as shown; call it in an effect. Its cleanup forgets the key, unless the session has ended. */
export function showNewKey(): () => void {
  shown += 1;
  return () => {
    shown -= 1;
    // Deferred: in development, effects end and restart.
    setTimeout(() => {
      if (shown === 0 && readToken() !== null) newKey.set(null);
    });
  };
}

/** Why keys were not generated or revoked. */
export function messageOf(error: unknown): string {
  return failureMessage(error, "Unknown error");
}

/** The same for a form: null for what its fields say, and if the password prompt was canceled. */
export function problemOf(error: unknown): string | null {
  return wasCalledOff(error) || isAboutFields(error) ? null : messageOf(error);
}

/**
 * Generates a key and shows it; `onCreated` is called before that.
 * @throws as `call`, after a toast
 */
export function useGenerate(onCreated: () => void) {
  const client = useQueryClient();
  const here = useRef(true);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  return async function generate(request: InferInput<typeof CreateKeyRequest>, isFirst = false): Promise<void> {
    try {
      const key = await call(keys.createApiKey, request);
      void client.invalidateQueries({ queryKey: queries.keys.queryKey });
      if (here.current) {
        onCreated();
        newKey.set({ ...key, isFirst });
        toast.success("API Key generated successfully", "The key is shown only once.");
      } else {
        toast.error(
          "API Key generated, but not shown",
          "You left the page before it loaded. Revoke it and generate another.",
        );
      }
    } catch (error) {
      if (!wasCalledOff(error)) toast.error("Error generating API Key", messageOf(error));
      const code = error instanceof ApiFailure && error.code;
      // Another tab, or time, has made this page's data stale.
      if (code === "KEY_LIMIT_REACHED") void client.invalidateQueries({ queryKey: queries.keys.queryKey });
      if (code === "SUBSCRIPTION_REQUIRED") void client.invalidateQueries({ queryKey: queries.subscription.queryKey });
      throw error;
    }
  };
}
