import type { InferInput, InferOutput } from "valibot";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { keys } from "../../../../contract/endpoints/keys.ts";
import type { CreatedKey, CreateKeyRequest } from "../../../../contract/keys.ts";
import { call } from "../../../lib/api/call.ts";
import { ApiFailure, failureMessage } from "../../../lib/api/failure.ts";
import { queries } from "../../../lib/queries.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { wasCalledOff } from "../../../lib/session/password-prompt.ts";
import { readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import type { Action } from "../../../lib/use-action.ts";

export type NewKey = InferOutput<typeof CreatedKey>;

/**
 * The key to show once, held only here. In memory, with the drafts: if the session expires while it is shown, it is
 * hidden until its owner logs in again, and logging out deletes it.
 */
const held = createStore<NewKey | null>(null);

/** Keeps a key until it is forgotten. */
export function holdNewKey(key: NewKey): void {
  held.set(key);
}

function forgetNewKey(): void {
  held.set(null);
}

onForgetDrafts(held.reset);

let shown = 0;

/** Marks the key as shown; call it in an effect. Its cleanup forgets the key, unless the session has ended. */
export function showNewKey(): () => void {
  shown += 1;
  return () => {
    shown -= 1;
    // Deferred: in development, effects end and restart.
    setTimeout(() => {
      if (shown === 0 && readToken() !== null) forgetNewKey();
    });
  };
}

/** The key that is to be shown; null when there is none. */
function useNewKey(): NewKey | null {
  return held.use();
}

export interface Generate extends Pick<Action, "busy" | "errors" | "problem"> {
  /** The key to show once. */
  readonly created: NewKey | null;
  generate(key: InferInput<typeof CreateKeyRequest>): void;
  forget(): void;
}

/** Why keys were not generated or revoked. */
export function messageOf(error: unknown): string {
  return failureMessage(error, "Unknown error");
}

/** Generates keys. `onCreated` is called before the key is shown. */
export function useGenerate(onCreated: () => void): Generate {
  const client = useQueryClient();
  const { busy, errors, problem, run } = useAction((error) => (wasCalledOff(error) ? null : messageOf(error)));
  const created = useNewKey();
  const here = useRef(true);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  async function generate(request: InferInput<typeof CreateKeyRequest>): Promise<void> {
    try {
      const key = await call(keys.createApiKey, request);
      void client.invalidateQueries({ queryKey: queries.keys.queryKey });
      if (here.current) {
        onCreated();
        holdNewKey(key);
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
  }

  return {
    busy,
    created,
    errors,
    problem,
    generate: (key) => run(() => generate(key)),
    forget: forgetNewKey,
  };
}
