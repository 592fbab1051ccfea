import { secondFactor } from "../../../contract/endpoints/second-factor.ts";
import { addPasskey, creationOptions, listPasskeys, removePasskey } from "../../accounts/second-factor/passkeys.ts";
import { replaceCodes } from "../../accounts/second-factor/recovery-codes.ts";
import { describeFactors, finishLogIn } from "../../accounts/second-factor/second-step.ts";
import { addTotp, confirmTotp, removeTotp } from "../../accounts/second-factor/totp.ts";
import { listEvents } from "../../accounts/security-events.ts";
import { operations } from "../operation.ts";
import { passkeyOrigin } from "../origins.ts";

export const secondFactorRoutes = operations(secondFactor, {
  logInWithSecondFactor: ({ input, io, c }) => finishLogIn(io, input, passkeyOrigin(c)),
  secondFactor: ({ io, session }) => describeFactors(io, session.userId),
  addTotp: ({ io, session }) => addTotp(io, session),
  confirmTotp: async ({ input, io, session }) => ({
    recovery_codes: await confirmTotp(io, session, input.code),
  }),
  async removeTotp({ io, session }) {
    await removeTotp(io, session);
    return undefined;
  },
  replaceRecoveryCodes: async ({ io, session }) => ({ recovery_codes: await replaceCodes(io, session) }),
  listPasskeys: async ({ io, session }) => ({ passkeys: await listPasskeys(io, session.userId) }),
  passkeyOptions: ({ io, session }) => creationOptions(io, session.account),
  addPasskey: ({ input, io, session, c }) => addPasskey(io, session, input, passkeyOrigin(c)),
  async removePasskey({ input, io, session }) {
    await removePasskey(io, session, input.id);
    return undefined;
  },
  securityEvents: async ({ io, session }) => ({ events: await listEvents(io, session.userId) }),
});
