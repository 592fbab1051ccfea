import * as v from "valibot";
import { AllowedOrigins } from "./allowed-origins.ts";
import { bodySchema, described, Integer, Timestamp } from "./body.ts";
import { formatCount } from "./format.ts";
import { GRACE_HOURS, KEY_MODES, MAX_ALLOWED_ORIGINS, MAX_MONTHLY_CAP, MAX_NAME_LENGTH } from "./limits.ts";
import { KeyName } from "./names.ts";

const KeyModeSchema = v.picklist(KEY_MODES, "Must be test or live");

const CAP_RULE = `Must be a whole number from 1 to ${formatCount(MAX_MONTHLY_CAP)}, or null`;
const MonthlyCap = v.nullable(
  v.pipe(v.number(CAP_RULE), v.integer(CAP_RULE), v.minValue(1, CAP_RULE), v.maxValue(MAX_MONTHLY_CAP, CAP_RULE)),
);
const CAP = "The successful verifications allowed for a live key per calendar month (UTC); null for no cap.";

const ORIGINS = "The origins whose web pages may use a live key; empty for a key for servers.";

const ExpiresAt = v.nullable(
  v.pipe(
    v.string("Must be a time in UTC, such as 2027-01-31T00:00:00Z"),
    v.isoTimestamp("Must be a time in UTC, such as 2027-01-31T00:00:00Z"),
  ),
);

export const CreateKeyRequest = bodySchema({
  mode: described(
    v.optional(KeyModeSchema, "test"),
    "`test` for the sandbox, `live` for real verifications; defaults to `test`.",
  ),
  name: described(
    v.optional(KeyName),
    `The key's name, up to ${MAX_NAME_LENGTH} characters. Defaults to "Test key" or "Live key".`,
  ),
  expires_at: described(
    v.optional(ExpiresAt, null),
    "When the key expires, within five years (UTC). Null or omitted if it doesn't expire.",
  ),
  monthly_cap: described(v.optional(MonthlyCap, null), CAP),
  allowed_origins: described(
    v.optional(AllowedOrigins, []),
    `${ORIGINS} Up to ${MAX_ALLOWED_ORIGINS}, such as \`https://shop.example\`. Requires \`monthly_cap\`.`,
  ),
});

export const ChangeKeyRequest = bodySchema({
  name: described(v.optional(KeyName), "The key's new name; omit to keep it."),
  monthly_cap: described(v.optional(MonthlyCap), `${CAP} Omit to keep it.`),
  allowed_origins: described(
    v.optional(AllowedOrigins),
    `${ORIGINS} Requires a monthly cap. A key that has some keeps at least one. Omit to keep them.`,
  ),
});

export const RollKeyRequest = bodySchema({
  grace_hours: described(
    v.picklist(GRACE_HOURS, `Must be ${GRACE_HOURS.slice(0, -1).join(", ")}, or ${GRACE_HOURS.at(-1)}`),
    "How many hours the old key keeps working; 0 revokes it immediately.",
  ),
});

const keyEntries = {
  id: described(v.string(), "The key ID, used to revoke it."),
  mode: described(v.picklist(KEY_MODES), "The key's mode."),
  name: described(v.string(), "The key's name."),
  hint: described(v.string(), "The key's last four characters."),
  created_at: described(Timestamp, "When the key was generated (UTC)."),
  created_from: described(
    v.nullable(v.string()),
    "The browser and country it was generated from, if known; null if neither is.",
  ),
  expires_at: described(v.nullable(Timestamp), "When the key expires (UTC); null for never."),
  monthly_cap: described(v.nullable(Integer), CAP),
  allowed_origins: described(v.array(v.string()), ORIGINS),
};

/** A key without its secret. */
export const Key = v.object(keyEntries);
export type Key = v.InferOutput<typeof Key>;

/** A key as shown once, right after it was generated. */
export const CreatedKey = v.object({
  api_key: described(v.string(), "The key itself. It's shown only once and stored only as a hash."),
  ...keyEntries,
});
export type CreatedKey = v.InferOutput<typeof CreatedKey>;

/** An unrevoked key, as shown in lists. */
export const ListedKey = v.object({
  ...keyEntries,
  last_used_at: described(v.nullable(Timestamp), "When the key was last used (UTC); null if never."),
  state: described(
    v.picklist(["active", "grace", "expired"]),
    "`grace` for a rolled key that works until `expires_at`. Expired keys are listed for 30 days. Only active keys count toward the limit.",
  ),
  from_new_device: described(
    v.boolean(),
    "Whether it was generated in the last 24 hours from a browser and country that the account was first logged in from in that time, or never.",
  ),
  limits_changed_at: described(
    v.nullable(Timestamp),
    "When its cap or allowed origins last changed (UTC); null for never.",
  ),
  used_this_month: described(
    v.nullable(Integer),
    "How much of `monthly_cap` is used, including by the keys it was rolled from; null without a cap or if it can't be read.",
  ),
});
export type ListedKey = v.InferOutput<typeof ListedKey>;

export const KeysResponse = v.object({
  keys: described(v.array(ListedKey), "Unrevoked keys, newest first."),
});

export const RevokedResponse = v.object({
  revoked: described(Integer, "The number of keys revoked."),
});

/** `?key_id=`, whether or not the key exists. */
export const KeyId = v.pipe(v.string(), v.regex(/^\w{1,40}$/, "Must be a key ID"));

/** `?mode=`, which limits an operation to one mode. */
export const ModeQuery = bodySchema({
  mode: described(v.optional(KeyModeSchema), "Only keys in this mode; both if omitted."),
});

/** Replaces a key's id for what the dashboard verified with a session. Reports call it "Dashboard". */
export const DASHBOARD_KEY_ID = "dashboard";
