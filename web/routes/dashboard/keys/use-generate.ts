import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { createKey } from "../../../lib/api/dashboard.ts";
import { ApiFailure, failureMessage } from "../../../lib/api/failure.ts";
import { queries } from "../../../lib/queries.ts";
import { toast } from "../../../lib/toast.ts";
import { useAction } from "../../../lib/use-action.ts";
import { forgetNewKey, holdNewKey, useNewKey } from "./new-key.ts";
import type { NewKey } from "./new-key.ts";

export interface Generate {
  readonly busy: boolean;
  /** The key to show once. */
  readonly created: NewKey | null;
  /** What the server says is wrong with the name. */
  readonly nameError: string | undefined;
  generate(mode: KeyMode, name: string | undefined): void;
  forget(): void;
}

/** Generates keys. `onCreated` is called before the key is shown. */
export function useGenerate(onCreated: () => void): Generate {
  const client = useQueryClient();
  const { busy, run } = useAction();
  const created = useNewKey();
  const [nameError, setNameError] = useState<string>();
  const here = useRef(true);

  useEffect(() => {
    here.current = true;
    return () => {
      here.current = false;
    };
  }, []);

  async function generate(mode: KeyMode, name: string | undefined): Promise<void> {
    setNameError(undefined);
    try {
      const key = await createKey({ mode, ...(name !== undefined && { name }) });
      void client.invalidateQueries({ queryKey: queries.keys.queryKey });
      if (here.current) {
        onCreated();
        holdNewKey(key);
        toast.success("API Key generated successfully", "Copy it now: the key is shown only once.");
      } else {
        toast.error(
          "API Key generated, but not shown",
          "You left the page before it arrived. Revoke it and generate another.",
        );
      }
    } catch (error) {
      toast.error("Error generating API Key", failureMessage(error, "Unknown error"));
      if (!(error instanceof ApiFailure)) return;
      setNameError(error.fields["name"]);
      // Another tab, or the passing of time, has changed what this page believed.
      if (error.code === "KEY_LIMIT_REACHED") void client.invalidateQueries({ queryKey: queries.keys.queryKey });
      if (error.code === "SUBSCRIPTION_REQUIRED") {
        void client.invalidateQueries({ queryKey: queries.subscription.queryKey });
      }
    }
  }

  return {
    busy,
    created,
    nameError,
    generate: (mode, name) => run(() => generate(mode, name)),
    forget: forgetNewKey,
  };
}
