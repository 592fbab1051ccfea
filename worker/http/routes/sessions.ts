import { sessions } from "../../../contract/endpoints/sessions.ts";
import { confirmPassword } from "../../accounts/confirm-password.ts";
import { endOtherSessions, endSession, listSessions, logOut } from "../../accounts/end-sessions.ts";
import { ApiError } from "../../platform/errors.ts";
import { operations } from "../operation.ts";

export const sessionRoutes = operations(sessions, {
  async logOut({ io, session }) {
    await logOut(io, session);
    return undefined;
  },
  confirmPassword: ({ input, io, session }) => confirmPassword(io, session, input.password),
  listSessions: async ({ io, session }) => ({ sessions: await listSessions(io, session.userId, session) }),
  endOtherSessions: async ({ io, session }) => ({ ended: await endOtherSessions(io, session) }),
  async endSession({ input, io, session }) {
    const ended = await endSession(io, session, input.id);
    if (ended === 0) throw new ApiError("NOT_FOUND", { message: "There's no active session with this ID." });
    return { ended };
  },
});
