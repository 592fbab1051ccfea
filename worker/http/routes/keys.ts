import { keys } from "../../../contract/endpoints/keys.ts";
import { operations } from "../operation.ts";
import { ApiError } from "../../platform/errors.ts";
import { findSubscription, isActive } from "../../subscriptions/subscription.ts";
import { createApiKey, listApiKeys, revokeApiKeys } from "../../keys/api-keys.ts";

export const keyRoutes = operations(keys, {
  async createApiKey({ input, io, session }) {
    const { mode, name = mode === "live" ? "Live key" : "Test key" } = input;
    const userId = session.account.id;
    if (!isActive(await findSubscription(io.db, userId), io.now)) throw new ApiError("SUBSCRIPTION_REQUIRED");
    return createApiKey(io, { userId, mode, name });
  },
  listApiKeys: async ({ io, session }) => ({ keys: await listApiKeys(io, session.account) }),
  revokeApiKeys: async ({ input, io, session }) => ({
    revoked: await revokeApiKeys(io, { userId: session.account.id, mode: input.mode }),
  }),
  async revokeApiKey({ input, io, session }) {
    const revoked = await revokeApiKeys(io, { userId: session.account.id, id: input.id });
    if (revoked === 0) throw new ApiError("NOT_FOUND", { message: "There is no active key with this id." });
    return { revoked };
  },
});
