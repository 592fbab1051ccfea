import * as v from "valibot";
import { API_BASE_PATH } from "../../contract/origin.ts";
import { keyMode } from "../../worker/keys/key-format.ts";
import type { Deployment, Step } from "./deployment.ts";
import { jsonOf, TIMEOUT_MS, verifyWith } from "./smoke-test.ts";

const Refusal = jsonOf(v.object({ code: v.string() }));

/** The code with which the service refuses a key, or null when it does not, or when something else answers. */
async function refusalOf(response: Response): Promise<string | null> {
  if (response.status !== 401 && response.status !== 403) return null;
  const refusal = v.safeParse(Refusal, await response.text());
  return refusal.success ? refusal.output.code : null;
}

/** Why what the shell gives as a test key cannot be one, without repeating it; null when it can, or when there is none. */
export function smokeKeyProblem(key: string | undefined): string | null {
  if (!key || keyMode(key) === "test") return null;
  return "CHECKLINE_SMOKE_KEY is no test key. It has to be one of this service, complete: ch_test_ and 36 characters.";
}

/** Looking at the operator's test key before anything is asked or done. */
export function checkSmokeKeyStep(key: string): Step {
  return {
    title: "Look at the test key of CHECKLINE_SMOKE_KEY",
    commands: [],
    async run() {
      const problem = smokeKeyProblem(key);
      if (problem !== null) throw new Error(problem);
      return "it is one";
    },
  };
}

/** Trying the operator's test key on what is deployed: a good release is not to be rolled back because of a bad key. */
export function trySmokeKeyStep({ io, target, progress }: Deployment, key: string): Step {
  return {
    title: "Try the test key of CHECKLINE_SMOKE_KEY on what is deployed",
    commands: [],
    async run() {
      const origin = target.settings["PUBLIC_ORIGIN"];
      if (progress.previous === null) return "nothing is deployed";
      if (origin === undefined) return "not tried: PUBLIC_ORIGIN is not set";
      const init = { ...verifyWith({ Authorization: `Bearer ${key}` }), signal: AbortSignal.timeout(TIMEOUT_MS) };
      // What does not answer at all says nothing about the key.
      const refusal = await io
        .fetch(`${origin}${API_BASE_PATH}/verify`, init)
        .then(refusalOf)
        .catch(() => null);
      if (refusal !== null) {
        throw new Error(
          `What is deployed at ${origin} refuses the key of CHECKLINE_SMOKE_KEY: ${refusal}. Give another one, or none.`,
        );
      }
      return "not refused";
    },
  };
}
