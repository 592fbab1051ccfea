import { COUNTRY_NAMES } from "../../../contract/country-names.ts";
import { DATA_RELEASES, endedRegisters, REGISTER_RELEASES } from "../../../contract/data.ts";
import { service } from "../../../contract/endpoints/service.ts";
import { ORIGIN } from "../../../contract/origin.ts";
import type { Status } from "../../../contract/status.ts";
import { VISITOR } from "../../../contract/verification.ts";
import publicDocument from "../../../contract/openapi-public.txt";
import wholeDocument from "../../../contract/openapi.txt";
import { version } from "../../../package.json";
import type { RequestContext } from "../context.ts";
import { calledOrigin } from "../origins.ts";
import { operations } from "../operation.ts";
import { respond, setHeaders } from "../response.ts";
import { replyTo } from "./verification.ts";
import type { Call } from "../operation.ts";
import type { Endpoint } from "../../../contract/endpoints/endpoint.ts";
import { ApiError } from "../../platform/errors.ts";
import { countryOf } from "../../platform/place.ts";
import { allCountries } from "../../verification/all-countries.ts";
import { utcDay } from "../../platform/time.ts";
import { answerDemo } from "../../verification/answer.ts";
import { DATA_VERSION } from "../../verification/data-version.ts";
import { STATUS_MAX_AGE_SECONDS } from "../../status/read-status.ts";

/** Serves an OpenAPI document with the service's address. */
function serveDocument({ c, io }: Pick<Call<Endpoint>, "c" | "io">, document: string): Response {
  const { origin } = io.config;
  const respondDocument = (at: string) => respond(c, document.replaceAll(ORIGIN, at), 200, "application/json");
  // Callers choose the address they call, so a document that contains it must not be cached publicly.
  if (origin === ORIGIN) return respondDocument(calledOrigin(c) ?? origin);
  setHeaders(c, { "Cache-Control": "public, max-age=300" });
  return respondDocument(origin);
}

/** For pages of any origin, which are the same for all. */
function cacheCountries(c: RequestContext): void {
  setHeaders(c, { "Access-Control-Allow-Origin": "*", "Cache-Control": "public, max-age=3600" });
}

/** The country that the caller's address is in, named in the response; undefined where it has no numbers or is unknown. */
function visitorCountry(c: RequestContext): string | undefined {
  const country = countryOf(c.req.raw);
  if (country === null || !Object.hasOwn(COUNTRY_NAMES, country)) return undefined;
  setHeaders(c, { "Read-As": country });
  return country;
}

/** @throws ApiError 503 NOT_WORKING, which says what isn't */
function requireWorking({ components, schedule }: Status): void {
  const broken = components.filter(({ state }) => state === "failing" || state === "unknown");
  const problems = broken.map(({ id, state }) => `${id}: ${state}`);
  if (schedule.state === "late") problems.push("scheduled jobs: late");
  if (problems.length > 0) throw new ApiError("NOT_WORKING", { message: `Not working: ${problems.join("; ")}.` });
}

export const serviceRoutes = operations(service, {
  listCountries({ c }) {
    cacheCountries(c);
    return { countries: allCountries() };
  },
  country({ c, input }) {
    const country = allCountries().find(({ country_code }) => country_code === input.code.toUpperCase());
    if (country === undefined)
      throw new ApiError("NOT_FOUND", { message: "No numbering plan is known for this code." });
    cacheCountries(c);
    return country;
  },
  health({ io, isolate }) {
    const { problems } = io.config;
    return {
      status: problems.length === 0 ? ("ok" as const) : ("degraded" as const),
      version,
      version_id: isolate.env.VERSION.id,
      data_version: DATA_VERSION,
      data: DATA_RELEASES,
      registers: REGISTER_RELEASES,
      registers_ended: endedRegisters(REGISTER_RELEASES, utcDay(io.now)),
      problems: [...problems],
    };
  },
  async status({ io, isolate, c, input }) {
    const status = await isolate.readStatus({ ...io, deployedAt: Date.parse(isolate.env.VERSION.timestamp) });
    if (input.strict === undefined) {
      setHeaders(c, { "Cache-Control": `public, max-age=${STATUS_MAX_AGE_SECONDS}` });
    } else requireWorking(status);
    return status;
  },
  openapi: (call) => serveDocument(call, wholeDocument),
  openapiPublic: (call) => serveDocument(call, publicDocument),
  demoLookup({ input, io, c }) {
    const country = input.country === VISITOR ? visitorCountry(c) : input.country;
    const answered = answerDemo({ ...input, country }, utcDay(io.now));
    setHeaders(c, { "Data-Version": DATA_VERSION });
    return replyTo(c, answered);
  },
});
