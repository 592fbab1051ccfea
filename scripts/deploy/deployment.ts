import type { Options } from "./arguments.ts";
import type { Deployed } from "./release.ts";
import type { SmokeIo } from "./smoke-test.ts";
import type { Target } from "./target.ts";
import type { RunWrangler, Wrangler } from "./wrangler.ts";

/** What a deployment does to the world. */
export interface Io extends SmokeIo {
  run: RunWrangler;
  /** Runs an npm script of this project. It ends when the signal is aborted, as a pause does. */
  build(script: string, variables: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<void>;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Aborted when the deployment is to end and to be undone. */
  readonly stopped: AbortSignal;
  /** The shell's. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  print(text: string): void;
}

/** What the steps have learnt and done so far. */
export interface Progress {
  /** Null before the first deployment. */
  previous: Deployed | null;
  secrets: Record<string, string>;
  /** Of a namespace that has to be named to wrangler. */
  namespaceId: string | null;
  problems: string[];
  key: string;
  keyIsTemporary: boolean;
  version: string;
  origin: string | null;
  /** Whether queues or a database may have been made. */
  touched: boolean;
  /** Whether the traffic may have moved. */
  released: boolean;
  /** Whether crons, queue consumers and addresses may have changed, which belong to no version. */
  triggersApplied: boolean;
}

export interface Step {
  readonly title: string;
  /** What it runs, as far as that is known before. */
  readonly commands: readonly string[];
  /** Returns what came of it, in a few words. */
  run(): Promise<string>;
}

export interface Deployment {
  readonly options: Options;
  readonly target: Target;
  readonly io: Io;
  readonly wrangler: Wrangler;
  readonly progress: Progress;
}

export function startProgress(): Progress {
  return {
    previous: null,
    secrets: {},
    namespaceId: null,
    problems: [],
    key: "",
    keyIsTemporary: false,
    version: "",
    origin: null,
    touched: false,
    released: false,
    triggersApplied: false,
  };
}
