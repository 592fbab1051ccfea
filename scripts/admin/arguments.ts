import * as v from "valibot";
import { Email } from "../../contract/accounts.ts";
import { KEY_MODES } from "../../contract/limits.ts";
import type { KeyMode } from "../../contract/limits.ts";
import { PLAN_IDS } from "../../contract/plans.ts";
import type { Plan } from "../../contract/plans.ts";
import { DAY_MS } from "../../worker/platform/time.ts";
import { ENVIRONMENTS, oneOf, parseArguments, UsageError } from "../arguments.ts";
import type { EnvironmentName } from "../arguments.ts";

/** An operator's command. */
export type Command =
  | {
      readonly name: "create" | "show" | "export" | "end" | "suspend" | "unsuspend" | "reset-second-factor";
      readonly email: string;
    }
  /** `until` in milliseconds since the Unix epoch, or null for no end. */
  | { readonly name: "grant"; readonly email: string; readonly plan: Plan; readonly until: number | null }
  | { readonly name: "extend-trial"; readonly email: string; readonly days: number }
  | { readonly name: "revoke-keys"; readonly email: string; readonly mode: KeyMode | undefined }
  /** `yes` when it needs no confirmation. */
  | { readonly name: "delete"; readonly email: string; readonly yes: boolean }
  | { readonly name: "list" | "top" | "republish" | "health" }
  /** `text`: a key's id or last four characters, or a part of an email. */
  | { readonly name: "find"; readonly text: string }
  | { readonly name: "dead-letters"; readonly action: "list" | "replay" };

/** Calls the service at an origin as its clients do, instead of reading a database. */
export interface PublicCheck {
  readonly name: "public-health";
  readonly origin: string;
}

export interface Invocation {
  /** Null to print the usage. */
  readonly command: Command | PublicCheck | null;
  /** The environment in wrangler.toml whose deployed database to use, or null for the local one. */
  readonly remote: EnvironmentName | null;
  readonly json: boolean;
}

export const USAGE = `Usage: npm run admin -- [--remote [--env production|staging]] [--json] <command>

  create EMAIL                           a new account; prints a link that sets its password, once
  list                                   the newest accounts
  find TEXT                              accounts by key id, a key's last four characters, or a part of the email
  top                                    the accounts with the most verifications of this month
  show EMAIL                             the account, its subscription, keys and usage
  export EMAIL                           everything the database has about the account, as JSON
  ${`grant EMAIL ${PLAN_IDS.join("|")} [--until DATE]`.padEnd(38)} an active subscription, through that day (YYYY-MM-DD, UTC) or without end
  end EMAIL                              ends the subscription
  extend-trial EMAIL DAYS                adds days to the end of the trial, or to now if that has passed
  revoke-keys EMAIL [--mode test|live]   revokes all active keys, or those of a mode
  suspend EMAIL                          rejects the account's keys and logins, and ends its sessions
  unsuspend EMAIL                        lets it in again
  reset-second-factor EMAIL              removes authenticator app, passkeys and recovery codes
  delete EMAIL [--yes]                   erases the account, its keys and its usage for good; asks for the email first
  republish                              writes every active key to KV again, over the next minutes
  health                                 checks, scheduled jobs, what waits, and what was counted
  health --public URL                    calls that a zone's settings stop at this address; needs no login
  dead-letters [list|replay]             queue messages that failed for good; replay puts the oldest 100 back

  --remote   the deployed database; without it, the one on this machine
  --env      whose database that is; production by default
  --json     output for scripts
`;

const LONGEST_EXTENSION = 3_650;

const OPTIONS = {
  remote: { type: "boolean", default: false },
  env: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
  until: { type: "string" },
  mode: { type: "string" },
  public: { type: "string" },
  yes: { type: "boolean" },
} as const;

function parseEmail(text: string): string {
  const parsed = v.safeParse(Email, text);
  if (!parsed.success) throw new UsageError(`${JSON.stringify(text)} is not an email address.`);
  return parsed.output;
}

function parseDays(text: string): number {
  const days = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (days >= 1 && days <= LONGEST_EXTENSION) return days;
  throw new UsageError(`DAYS must be a whole number from 1 to ${LONGEST_EXTENSION}, not ${JSON.stringify(text)}.`);
}

/** The end of a day "YYYY-MM-DD" in UTC, as milliseconds since the Unix epoch. */
export function endOfDay(text: string): number {
  const start = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  // A nonexistent day, such as February 30, is either rejected or parsed as another one.
  if (Number.isNaN(start) || !new Date(start).toISOString().startsWith(text) || text === "9999-12-31") {
    throw new UsageError(`--until must be a day such as 2030-12-31, not ${JSON.stringify(text)}.`);
  }
  return start + DAY_MS;
}

/** Options that only one command has. */
const OWN_OPTIONS = { until: "grant", mode: "revoke-keys", public: "health", yes: "delete" } as const;

/** Each command's arguments. */
const FORMS: Readonly<Record<Command["name"], readonly string[]>> = {
  create: ["EMAIL"],
  list: [],
  find: ["TEXT"],
  top: [],
  export: ["EMAIL"],
  delete: ["EMAIL"],
  republish: [],
  show: ["EMAIL"],
  grant: ["EMAIL", "PLAN"],
  end: ["EMAIL"],
  "extend-trial": ["EMAIL", "DAYS"],
  "revoke-keys": ["EMAIL"],
  suspend: ["EMAIL"],
  unsuspend: ["EMAIL"],
  "reset-second-factor": ["EMAIL"],
  health: [],
  "dead-letters": ["[list|replay]"],
};

function isCommand(name: string): name is Command["name"] {
  return Object.hasOwn(FORMS, name);
}

type OwnOptions = { readonly [Name in keyof typeof OWN_OPTIONS]?: string | boolean | undefined };

function checkForm(name: Command["name"], given: readonly string[], options: OwnOptions): void {
  const parameters = FORMS[name];
  const required = parameters.filter((parameter) => !parameter.startsWith("["));
  if (given.length < required.length || given.length > parameters.length) {
    throw new UsageError(`Usage: ${[name, ...parameters].join(" ")}`);
  }
  for (const [option, command] of Object.entries(OWN_OPTIONS)) {
    const isGiven = options[option as keyof OwnOptions] !== undefined;
    if (isGiven && command !== name) throw new UsageError(`${name} has no option --${option}.`);
  }
}

function parseOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new UsageError(`--public must be an address such as https://example.com, not ${JSON.stringify(text)}.`);
}

function parseRemote(remote: boolean, environment: string | undefined): EnvironmentName | null {
  if (environment !== undefined && !remote) throw new UsageError("--env requires --remote.");
  return remote ? oneOf("--env", ENVIRONMENTS, environment ?? "production") : null;
}

/**
 * Parses a command line, without the program's own name.
 * @throws UsageError with a message for the operator.
 */
export function parseInvocation(args: readonly string[]): Invocation {
  const { values, positionals } = parseArguments({ args: [...args], options: OPTIONS, allowPositionals: true });
  const { json, help } = values;
  const [name, first = "", second = ""] = positionals;
  const remote = parseRemote(values.remote, values.env);
  if (help || name === "help") return { command: null, remote, json };
  if (name === undefined) throw new UsageError("No command was given.");
  if (!isCommand(name)) throw new UsageError(`There is no command ${JSON.stringify(name)}.`);
  try {
    checkForm(name, positionals.slice(1), values);
    if (values.public !== undefined) {
      return { command: { name: "public-health", origin: parseOrigin(values.public) }, remote, json };
    }
    return { command: commandOf(name, [first, second], values), remote, json };
  } catch (error) {
    const lines = USAGE.split("\n").filter((line) => line.trim().split(" ")[0] === name);
    if (error instanceof UsageError) error.usage = `${lines.join("\n")}\n`;
    throw error;
  }
}

function commandOf(
  name: Command["name"],
  [first, second]: readonly [string, string],
  options: {
    readonly until?: string | undefined;
    readonly mode?: string | undefined;
    readonly yes?: boolean | undefined;
  },
): Command {
  switch (name) {
    case "grant": {
      const until = options.until === undefined ? null : endOfDay(options.until);
      return { name, email: parseEmail(first), plan: oneOf("PLAN", PLAN_IDS, second), until };
    }
    case "extend-trial":
      return { name, email: parseEmail(first), days: parseDays(second) };
    case "revoke-keys": {
      const mode = options.mode === undefined ? undefined : oneOf("--mode", KEY_MODES, options.mode);
      return { name, email: parseEmail(first), mode };
    }
    case "delete":
      return { name, email: parseEmail(first), yes: options.yes === true };
    case "find":
      return { name, text: first };
    case "health":
    case "list":
    case "top":
    case "republish":
      return { name };
    case "dead-letters":
      return { name, action: first === "" ? "list" : oneOf("dead-letters", ["list", "replay"], first) };
    default:
      return { name, email: parseEmail(first) };
  }
}
