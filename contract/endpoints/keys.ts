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
    description: `A live key requires a recent password. Up to ${MAX_NEW_KEYS_PER_HOUR} per hour per account.`,
    request: { schema: CreateKeyRequest, example: { mode: "test", name: "Staging" }, optional: true },
    rate: "changes by account",
    success: { status: 201, description: "The key, shown only once.", schema: CreatedKey },
    errors: [...READING_A_BODY, "SUBSCRIPTION_REQUIRED", "PASSWORD_REQUIRED", "KEY_LIMIT_REACHED"],
  },
  listApiKeys: {
    ...shared,
    method: "get",
    path: "/api/v1/account/api-keys",
    summary: "List unrevoked API keys",
    rate: "calls by account",
    success: { status: 200, description: "The keys, newest first.", schema: KeysResponse },
    errors: [],
  },
  revokeApiKeys: {
    ...shared,
    method: "delete",
    path: "/api/v1/account/api-keys",
    summary: "Revoke all active API keys, or all in one mode",
    query: ModeQuery,
    rate: "calls by account",
    success: { status: 200, description: "The number of keys revoked.", schema: RevokedResponse },
    errors: ["VALIDATION_FAILED"],
  },
  changeApiKey: {
    ...shared,
    method: "patch",
    path: "/api/v1/account/api-keys/{id}",
    summary: "Change an API key's name, monthly cap, or allowed origins",
    description: "Raising or removing the cap and adding an origin require a recent password.",
    request: { schema: ChangeKeyRequest, example: { monthly_cap: 10_000 } },
    rate: "changes by account",
    success: { status: 200, description: "The updated key.", schema: Key },
    errors: [...READING_A_BODY, "PASSWORD_REQUIRED", "NOT_FOUND"],
  },
  rollApiKey: {
    ...shared,
    method: "post",
    path: "/api/v1/account/api-keys/{id}/roll",
    summary: "Roll an API key",
    description:
      "The new key works immediately, with the old one's name, cap, count, and allowed origins. The old key works until its grace period ends and no longer counts toward the active key limit. Rolling a live key requires a recent password.",
    request: { schema: RollKeyRequest, example: { grace_hours: 24 } },
    rate: "changes by account",
    success: { status: 201, description: "The new key, shown only once.", schema: CreatedKey },
    errors: [...READING_A_BODY, "PASSWORD_REQUIRED", "NOT_FOUND", "KEY_NOT_ROLLABLE"],
  },
  revokeApiKey: {
    ...shared,
    method: "delete",
    path: "/api/v1/account/api-keys/{id}",
    summary: "Revoke one API key",
    rate: "calls by account",
    success: { status: 200, description: "The key has been revoked.", schema: RevokedResponse },
    errors: ["NOT_FOUND"],
  },
});
