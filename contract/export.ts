import * as v from "valibot";
import { Account, SessionsResponse } from "./accounts.ts";
import { ActivityPage } from "./activity.ts";
import { described, Integer, Timestamp } from "./body.ts";
import { Key, ListedKey } from "./keys.ts";
import { EMAIL_TOKEN_HOURS, KEY_MODES } from "./limits.ts";
import { Passkey, SecondFactorResponse } from "./second-factor.ts";
import { SecurityEventsResponse } from "./security-events.ts";
import { Subscription } from "./subscriptions.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

const EMAIL_LINKS = Object.keys(EMAIL_TOKEN_HOURS) as (keyof typeof EMAIL_TOKEN_HOURS)[];

const ExportedPasskey = v.object({
  ...Passkey.entries,
  credential_id: described(v.string(), "The ID that the authenticator gave it, in base64url."),
  public_key: described(v.string(), "Its public key: a COSE_Key (RFC 9052) in base64url."),
  counter: described(Integer, "The authenticator's counter; 0 if it has none."),
  transports: described(v.array(v.string()), "How the browser reaches the authenticator."),
});
export type ExportedPasskey = v.InferOutput<typeof ExportedPasskey>;

/** Everything stored about an account. Potentially long parts are at the end. */
export const AccountExport = v.object({
  exported_at: described(Timestamp, "When the export was created (UTC)."),
  account: described(
    v.object({
      ...Account.entries,
      verified_at: described(v.nullable(Timestamp), "When the email address was verified (UTC)."),
      suspended_at: described(v.nullable(Timestamp), "When the account was suspended (UTC); null if it isn't."),
    }),
    "The account owner.",
  ),
  email_links: described(
    v.array(
      v.object({
        purpose: described(v.picklist(EMAIL_LINKS), "What the link is for."),
        email: described(
          v.nullable(v.string()),
          "The address that a change is to, or that an undo restores or, once used, has replaced; null for other links.",
        ),
        created_at: described(Timestamp, "When it was requested (UTC)."),
        used_at: described(v.nullable(Timestamp), "When it was used or canceled (UTC); null if it wasn't."),
      }),
    ),
    "Emailed links of the last week, newest first.",
  ),
  subscription: described(Subscription, "The subscription and its quota."),
  api_keys: described(
    v.array(
      v.object({
        ...Key.entries,
        last_used_at: ListedKey.entries.last_used_at,
        limits_changed_at: ListedKey.entries.limits_changed_at,
        rolled_at: described(v.nullable(Timestamp), "When another key replaced it (UTC)."),
        root_id: described(
          v.nullable(v.string()),
          "The original key it was rolled from, which its cap is counted under; null if it wasn't rolled.",
        ),
        revoked_at: described(v.nullable(Timestamp), "When it was revoked (UTC)."),
      }),
    ),
    "All keys, including revoked ones, newest first. Keys themselves are stored only as hashes.",
  ),
  sessions: described(SessionsResponse.entries.sessions, "Active sessions."),
  second_factor: described(
    v.object({
      ...SecondFactorResponse.entries,
      passkeys: described(v.array(ExportedPasskey), "Oldest first."),
    }),
    "Authenticator app, recovery codes, and passkeys, without their secrets.",
  ),
  security_events: described(SecurityEventsResponse.entries.events, "Security events, newest first."),
  activity: described(v.omit(ActivityPage, ["next"]), "The calls shown in the dashboard."),
  usage: described(
    v.array(
      v.object({
        period: described(v.string(), "A day, or a month if more than 13 months ago (UTC)."),
        key_id: described(v.string(), "The key ID."),
        mode: described(v.picklist(KEY_MODES), "The key's mode."),
        country_code: described(v.string(), "ISO 3166-1 alpha-2; ZZ if none was identified."),
        successful: described(Count, "Successful verifications."),
        failed: described(Count, "Failed verifications."),
      }),
    ),
    "Verification counts, oldest first.",
  ),
});
export type AccountExport = v.InferOutput<typeof AccountExport>;
