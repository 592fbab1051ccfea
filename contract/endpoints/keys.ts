import {
  ChangeKeyRequest,
  CreatedKey,
  CreateKeyRequest,
  Key,
  KeysResponse,
  ModeQuery,
  RevokedResponse,
  RollKeyRequest,
} from "../keys.ts";
import { MAX_NEW_KEYS_PER_HOUR } from "../limits.ts";
import { endpoints, READING_A_BODY } from "./endpoint.ts";
import type { Endpoint } from "./endpoint.ts";

const shared = { tag: "Dashboard", credential: "session" } as const satisfies Partial<Endpoint>;

export const keys = endpoints({
  createApiKey: {
    ...shared,
    method: "post",
    path: "/api/v1/account/api-keys",
    summary: "Generate an API key",
    description: `At most ${MAX_NEW_KEYS_PER_HOUR} an hour for an account.`,
    request: { schema: CreateKeyRequest, example: { mode: "test", name: "Staging" }, optional: true },
    success: { status: 201, description: "The key, shown this once.", schema: CreatedKey },
    errors: [...READING_A_BODY, "SUBSCRIPTION_REQUIRED", "KEY_LIMIT_REACHED", "RATE_LIMITED"],
  },
  listApiKeys: {
    ...shared,
    method: "get",
    path: "/api/v1/account/api-keys",
    summary: "List the API keys that are not revoked",
    success: { status: 200, description: "The keys, newest first.", schema: KeysResponse },
    errors: [],
  },
  revokeApiKeys: {
    ...shared,
    method: "delete",
    path: "/api/v1/account/api-keys",
    summary: "Revoke all active API keys, or those of a mode",
    query: ModeQuery,
    success: { status: 200, description: "How many keys stopped working.", schema: RevokedResponse },
    errors: ["VALIDATION_FAILED"],
  },
  changeApiKey: {
    ...shared,
    method: "patch",
    path: "/api/v1/account/api-keys/{id}",
    summary: "Change the name or the monthly cap of an API key",
    request: { schema: ChangeKeyRequest, example: { monthly_cap: 10_000 } },
    success: { status: 200, description: "The key as it is now.", schema: Key },
    errors: [...READING_A_BODY, "NOT_FOUND"],
  },
  rollApiKey: {
    ...shared,
    method: "post",
    path: "/api/v1/account/api-keys/{id}/roll",
    summary: "Replace an API key by a new one",
    description:
      "The new key works at once, has the old one's name and cap, and continues its count. The old key works until the end of its grace, and then counts no more toward the limit of active keys.",
    request: { schema: RollKeyRequest, example: { grace_hours: 24 } },
    success: { status: 201, description: "The new key, shown this once.", schema: CreatedKey },
    errors: [...READING_A_BODY, "NOT_FOUND", "KEY_NOT_ROLLABLE", "RATE_LIMITED"],
  },
  revokeApiKey: {
    ...shared,
    method: "delete",
    path: "/api/v1/account/api-keys/{id}",
    summary: "Revoke one API key",
    success: { status: 200, description: "The key stopped working.", schema: RevokedResponse },
    errors: ["NOT_FOUND"],
  },
});
