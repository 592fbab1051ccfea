import { keys } from "../../../contract/endpoints/keys.ts";
import { operations } from "../operation.ts";
import { ApiError } from "../../platform/errors.ts";
import { findSubscription, isActive } from "../../subscriptions/subscription.ts";
import { changeApiKey, createApiKey, revokeApiKeys, rollApiKey } from "../../keys/api-keys.ts";
import { listApiKeys } from "../../keys/list-api-keys.ts";

export const keyRoutes = operations(keys, {
  async createApiKey({ input, io, session }) {
    const { mode, name = mode === "live" ? "Live key" : "Test key", expires_at: end } = input;
    const { monthly_cap: monthlyCap, allowed_origins: allowedOrigins } = input;
    if (!isActive(await findSubscription(io.db, session.userId), io.now)) throw new ApiError("SUBSCRIPTION_REQUIRED");
    const expiresAt = end === null ? null : Date.parse(end);
    return createApiKey(io, session, { mode, name, expiresAt, monthlyCap, allowedOrigins });
  },
  listApiKeys: async ({ io, session }) => ({ keys: await listApiKeys(io, session.account) }),
  revokeApiKeys: async ({ input, io, session }) => ({
    revoked: await revokeApiKeys(io, session, { userId: session.userId, mode: input.mode }),
  }),
  changeApiKey: ({ input, io, session }) => {
    const { id, name, monthly_cap: monthlyCap, allowed_origins: allowedOrigins } = input;
    return changeApiKey(io, session, { id, name, monthlyCap, allowedOrigins });
  },
  rollApiKey: ({ input: { id, grace_hours: graceHours }, io, session }) => rollApiKey(io, session, { id, graceHours }),
  async revokeApiKey({ input, io, session }) {
    const revoked = await revokeApiKeys(io, session, { userId: session.userId, id: input.id });
    if (revoked === 0) throw new ApiError("NOT_FOUND", { message: "There's no active key with this ID." });
    return { revoked };
  },
});
