import { CreatedKey, CreateKeyRequest, KeysResponse, ModeQuery, RevokedResponse } from "../keys.ts";
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
    request: { schema: CreateKeyRequest, example: { mode: "test", name: "Staging" } },
    success: { status: 201, description: "The key, shown this once.", schema: CreatedKey },
    errors: [...READING_A_BODY, "SUBSCRIPTION_REQUIRED", "KEY_LIMIT_REACHED", "RATE_LIMITED"],
  },
  listApiKeys: {
    ...shared,
    method: "get",
    path: "/api/v1/account/api-keys",
    summary: "List the active API keys",
    success: { status: 200, description: "Active keys, newest first.", schema: KeysResponse },
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
  revokeApiKey: {
    ...shared,
    method: "delete",
    path: "/api/v1/account/api-keys/{id}",
    summary: "Revoke one API key",
    success: { status: 200, description: "The key stopped working.", schema: RevokedResponse },
    errors: ["NOT_FOUND"],
  },
});
