import * as v from "valibot";
import { KeyName } from "./accounts.ts";
import { bodySchema, described, Timestamp } from "./body.ts";
import { KEY_MODES, MAX_NAME_LENGTH } from "./limits.ts";

const KeyModeSchema = v.picklist(KEY_MODES, "Must be test or live");

export const CreateKeyRequest = bodySchema({
  mode: described(
    v.optional(KeyModeSchema, "test"),
    "`test` for a key that the sandbox answers, `live` for one that verifies; test when left out.",
  ),
  name: described(
    v.optional(KeyName),
    `What lists call the key: at most ${MAX_NAME_LENGTH} characters. Without it the key is named after its mode.`,
  ),
});

const keyEntries = {
  id: described(v.string(), "Names the key, for revoking it."),
  mode: described(v.picklist(KEY_MODES), "Which of the two modes the key has."),
  name: described(v.string(), "What lists call the key."),
  hint: described(v.string(), "The last four characters of the key."),
  created_at: described(Timestamp, "When the key was generated, UTC."),
};

/** A key as it is shown once, right after it was generated. */
export const CreatedKey = v.object({
  api_key: described(v.string(), "The key itself. It is shown this once and stored as a hash only."),
  ...keyEntries,
});
export type CreatedKey = v.InferOutput<typeof CreatedKey>;

/** An active key as lists show it. */
export const ListedKey = v.object({
  ...keyEntries,
  last_used_at: described(v.nullable(Timestamp), "When the key was last used, UTC; null before its first use."),
});
export type ListedKey = v.InferOutput<typeof ListedKey>;

export const KeysResponse = v.object({ keys: described(v.array(ListedKey), "The active keys, newest first.") });

export const RevokedResponse = v.object({
  revoked: described(v.pipe(v.number(), v.integer()), "How many keys stopped working."),
});

/** `?mode=` where it narrows an operation to one of the two. */
export const ModeQuery = bodySchema({
  mode: described(v.optional(KeyModeSchema), "Only what belongs to keys of this mode; both modes when left out."),
});

/** Stands in for a key's id where the dashboard itself has verified, with its session. Reports name it "Dashboard". */
export const DASHBOARD_KEY_ID = "dashboard";
