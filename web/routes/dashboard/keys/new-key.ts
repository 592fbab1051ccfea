import type { InferInput, InferOutput } from "valibot";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { keys } from "../../../../contract/endpoints/keys.ts";
import type { CreatedKey, CreateKeyRequest } from "../../../../contract/keys.ts";
import { call } from "../../../lib/api/call.ts";
import { ApiFailure, failureMessage } from "../../../lib/api/failure.ts";
import { queries } from "../../../lib/queries.ts";
import { onForgetDrafts } from "../../../lib/session/draft.ts";
import { readToken } from "../../../lib/session/token.ts";
import { createStore } from "../../../lib/store.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";

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

export interface Generate {
  readonly busy: boolean;
  /** The key to show once. */
  readonly created: NewKey | null;
  /** The server's errors about the name or the cap. */
  readonly errors: Readonly<Record<string, string>>;
  /** Why the last attempt failed, unless it was about a field; null otherwise. */
  readonly problem: string | null;
  generate(key: InferInput<typeof CreateKeyRequest>): void;
  forget(): void;
}

/** Generates keys. `onCreated` is called before the key is shown. */
export function useGenerate(onCreated: () => void): Generate {
  const client = useQueryClient();
  const { busy, run } = useAction();
  const created = useNewKey();
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const here = useRef(true);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  async function generate(asked: InferInput<typeof CreateKeyRequest>): Promise<void> {
    setErrors({});
    setProblem(null);
    try {
      const key = await call(keys.createApiKey, asked);
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
      const message = failureMessage(error, "Unknown error");
      toast.error("Error generating API Key", message);
      const fields = error instanceof ApiFailure ? error.fields : {};
      setErrors(fields);
      setProblem(Object.keys(fields).length > 0 ? null : message);
      if (!(error instanceof ApiFailure)) return;
      // Another tab, or time, has made this page's data stale.
      if (error.code === "KEY_LIMIT_REACHED") void client.invalidateQueries({ queryKey: queries.keys.queryKey });
      if (error.code === "SUBSCRIPTION_REQUIRED") {
        void client.invalidateQueries({ queryKey: queries.subscription.queryKey });
      }
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
