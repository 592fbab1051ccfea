import * as v from "valibot";
import { KeyName } from "./accounts.ts";
import { bodySchema, described, Timestamp } from "./body.ts";
import { GRACE_HOURS, KEY_MODES, MAX_MONTHLY_CAP, MAX_NAME_LENGTH } from "./limits.ts";

const KeyModeSchema = v.picklist(KEY_MODES, "Must be test or live");

const CAP_RULE = `Must be a whole number from 1 to ${MAX_MONTHLY_CAP}, or null`;
const MonthlyCap = v.nullable(
  v.pipe(v.number(CAP_RULE), v.integer(CAP_RULE), v.minValue(1, CAP_RULE), v.maxValue(MAX_MONTHLY_CAP, CAP_RULE)),
);
const CAP = "Successful verifications that a live key may make in a calendar month, UTC; null for no cap.";

const ExpiresAt = v.nullable(
  v.pipe(
    v.string("Must be a time in UTC, such as 2027-01-31T00:00:00Z"),
    v.isoTimestamp("Must be a time in UTC, such as 2027-01-31T00:00:00Z"),
  ),
);

export const CreateKeyRequest = bodySchema({
  mode: described(
    v.optional(KeyModeSchema, "test"),
    "`test` for a key that the sandbox answers, `live` for one that verifies; test when left out.",
  ),
  name: described(
    v.optional(KeyName),
    `What lists call the key: at most ${MAX_NAME_LENGTH} characters. Without it the key is named after its mode.`,
  ),
  expires_at: described(
    v.optional(ExpiresAt, null),
    "From when on the key is refused: within five years, UTC. Null or left out for a key that does not expire.",
  ),
  monthly_cap: described(v.optional(MonthlyCap, null), CAP),
});

export const ChangeKeyRequest = bodySchema({
  name: described(v.optional(KeyName), "What lists call the key from now on; left out, it stays."),
  monthly_cap: described(v.optional(MonthlyCap), `${CAP} Left out, it stays.`),
});

export const RollKeyRequest = bodySchema({
  grace_hours: described(
    v.picklist(GRACE_HOURS, `Must be ${GRACE_HOURS.slice(0, -1).join(", ")} or ${GRACE_HOURS.at(-1)}`),
    "For how many hours the old key keeps working; 0 revokes it at once.",
  ),
});

const keyEntries = {
  id: described(v.string(), "Names the key, for revoking it."),
  mode: described(v.picklist(KEY_MODES), "Which of the two modes the key has."),
  name: described(v.string(), "What lists call the key."),
  hint: described(v.string(), "The last four characters of the key."),
  created_at: described(Timestamp, "When the key was generated, UTC."),
  created_from: described(
    v.nullable(v.string()),
    "The browser and country it was generated from, as far as they are known; null where neither is.",
  ),
  expires_at: described(v.nullable(Timestamp), "From when on the key is refused, UTC; null for never."),
  monthly_cap: described(v.nullable(v.pipe(v.number(), v.integer())), CAP),
};

/** A key without what it takes to use it. */
export const Key = v.object(keyEntries);
export type Key = v.InferOutput<typeof Key>;

/** A key as it is shown once, right after it was generated. */
export const CreatedKey = v.object({
  api_key: described(v.string(), "The key itself. It is shown this once and stored as a hash only."),
  ...keyEntries,
});
export type CreatedKey = v.InferOutput<typeof CreatedKey>;

/** A key that is not revoked, as lists show it. */
export const ListedKey = v.object({
  ...keyEntries,
  last_used_at: described(v.nullable(Timestamp), "When the key was last used, UTC; null before its first use."),
  state: described(
    v.picklist(["active", "grace", "expired"]),
    "`grace` for a key that was rolled and works until `expires_at`. An expired key is listed for 30 days. Only active keys count toward the limit.",
  ),
  used_this_month: described(
    v.nullable(v.pipe(v.number(), v.integer())),
    "What is used of `monthly_cap`, by the keys it was rolled from too; null without a cap, or when it cannot be read.",
  ),
});
export type ListedKey = v.InferOutput<typeof ListedKey>;

export const KeysResponse = v.object({
  keys: described(v.array(ListedKey), "The keys that are not revoked, newest first."),
});

export const RevokedResponse = v.object({
  revoked: described(v.pipe(v.number(), v.integer()), "How many keys stopped working."),
});

/** `?key_id=`, whether there is such a key or not. */
export const KeyId = v.pipe(v.string(), v.regex(/^\w{1,40}$/, "Must be the id of a key"));

/** `?mode=` where it narrows an operation to one of the two. */
export const ModeQuery = bodySchema({
  mode: described(v.optional(KeyModeSchema), "Only what belongs to keys of this mode; both modes when left out."),
});

/** In place of a key's id for what the dashboard verified with a session. Reports call it "Dashboard". */
export const DASHBOARD_KEY_ID = "dashboard";
