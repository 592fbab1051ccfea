import { DATA_RELEASES } from "../../../contract/data.ts";
import { service } from "../../../contract/endpoints/service.ts";
import { openApiDocument } from "../../../contract/openapi.ts";
import { version } from "../../../package.json";
import { operations } from "../operation.ts";
import { verifyNumber } from "../../verification/engine.ts";
import { STATUS_MAX_AGE_SECONDS } from "../../status/read-status.ts";

export const serviceRoutes = operations(service, {
  health({ io, isolate }) {
    const { problems } = io.config;
    return {
      status: problems.length === 0 ? ("ok" as const) : ("degraded" as const),
      version,
      version_id: isolate.env.VERSION.id,
      data: DATA_RELEASES,
      problems: [...problems],
    };
  },
  status({ io, isolate, c }) {
    c.header("Cache-Control", `public, max-age=${STATUS_MAX_AGE_SECONDS}`);
    return isolate.readStatus(io);
  },
  openapi({ c }) {
    c.header("Cache-Control", "public, max-age=300");
    return c.json(openApiDocument(new URL(c.req.url).origin));
  },
  demoLookup: ({ input }) => verifyNumber(input.number),
});
