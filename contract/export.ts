import * as v from "valibot";
import { Account, SessionsResponse } from "./accounts.ts";
import { ActivityPage } from "./activity.ts";
import { described, Timestamp } from "./body.ts";
import { Key, ListedKey } from "./keys.ts";
import { KEY_MODES } from "./limits.ts";
import { PasskeysResponse, SecondFactorResponse } from "./second-factor.ts";
import { SecurityEventsResponse } from "./security-events.ts";
import { Subscription } from "./subscriptions.ts";

const Count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** Everything that is kept of an account. What may be long is at the end. */
export const AccountExport = v.object({
  exported_at: described(Timestamp, "When it was put together, UTC."),
  account: described(Account, "Who the account belongs to."),
  subscription: described(Subscription, "The subscription and its quota."),
  api_keys: described(
    v.array(
      v.object({
        ...Key.entries,
        last_used_at: ListedKey.entries.last_used_at,
        rolled_at: described(v.nullable(Timestamp), "When another key took its place, UTC."),
        root_id: described(
          v.nullable(v.string()),
          "The first key that it was rolled from, by which its cap is counted; null for one that was not.",
        ),
        revoked_at: described(v.nullable(Timestamp), "When it was revoked, UTC."),
      }),
    ),
    "All keys, revoked ones included, newest first. Keys themselves are stored as hashes only.",
  ),
  sessions: described(SessionsResponse.entries.sessions, "Where the account is logged in."),
  second_factor: described(
    v.object({ ...SecondFactorResponse.entries, ...PasskeysResponse.entries }),
    "Authenticator app, recovery codes and passkeys, without what they are checked with.",
  ),
  security_events: described(
    SecurityEventsResponse.entries.events,
    "What happened to the account's security, newest first.",
  ),
  activity: described(v.omit(ActivityPage, ["next"]), "The calls that the dashboard shows."),
  usage: described(
    v.array(
      v.object({
        period: described(v.string(), "A day, or a month of more than 13 months ago, UTC."),
        key_id: described(v.string(), "Names the key."),
        mode: described(v.picklist(KEY_MODES), "The key's mode."),
        country_code: described(v.string(), "ISO 3166-1 alpha-2; ZZ if none was identified."),
        successful: described(Count, "Verifications that were successful."),
        failed: described(Count, "Verifications that were not."),
      }),
    ),
    "What was verified, oldest first.",
  ),
});
export type AccountExport = v.InferOutput<typeof AccountExport>;
