import * as v from "valibot";
import { Name } from "./accounts.ts";
import { bodySchema } from "./body.ts";
import { KEY_MODES } from "./limits.ts";

export const KeyModeSchema = v.picklist(KEY_MODES, "Must be test or live");

export const CreateKeyRequest = bodySchema({
  mode: v.optional(KeyModeSchema, "test"),
  name: v.optional(Name),
});

const Timestamp = v.pipe(v.string(), v.isoTimestamp());

const keyEntries = {
  id: v.string(),
  mode: v.picklist(KEY_MODES),
  name: v.string(),
  hint: v.pipe(v.string(), v.description("The last four characters of the key.")),
  created_at: Timestamp,
};

/** A key as it is shown once, right after it was generated. */
export const CreatedKey = v.object({
  api_key: v.pipe(v.string(), v.description("The key itself. It is shown this once and stored as a hash only.")),
  ...keyEntries,
});

/** An active key as lists show it. */
export const ListedKey = v.object({ ...keyEntries, last_used_at: v.nullable(Timestamp) });
export type ListedKey = v.InferOutput<typeof ListedKey>;

export const KeysResponse = v.object({ keys: v.array(ListedKey) });

export const RevokedResponse = v.object({
  revoked: v.pipe(v.number(), v.integer(), v.description("How many keys stopped working.")),
});

/** `?mode=` where it narrows an operation to one of the two. */
export const ModeQuery = bodySchema({ mode: v.optional(KeyModeSchema) });
