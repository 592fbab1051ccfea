import * as v from "valibot";
import { described } from "../body.ts";
import { CountriesResponse, Country } from "../countries.ts";
import { DEMO_LOOKUPS_PER_MINUTE } from "../limits.ts";
import { REGISTER_COUNTRIES, REGISTERS, type RegisterCountry } from "../registers.ts";
import { Status, StatusQuery } from "../status.ts";
import { DemoRequest, VerificationResult } from "../verification.ts";
import { endpoints, READING_A_BODY } from "./endpoint.ts";

const DataRelease = v.object({
  source: described(v.string(), "Data source."),
  release: described(v.string(), "The libphonenumber or time zone database release."),
  date: described(
    v.nullable(v.pipe(v.string(), v.isoDate())),
    "The release date; null if the source doesn't give one.",
  ),
});

const RegisterRelease = v.object({
  source: described(v.string(), "The publisher and the register."),
  date: described(v.pipe(v.string(), v.isoDate()), "The register's date."),
  unassigned_until: described(
    v.pipe(v.string(), v.isoDate()),
    "The last day on which numbers are called unassigned. From then on, those are unknown.",
  ),
});

function registerSchema(country: RegisterCountry) {
  return described(v.nullable(RegisterRelease), `The register of ${REGISTERS[country].numbers}.`);
}
const registers = Object.fromEntries(REGISTER_COUNTRIES.map((country) => [country, registerSchema(country)])) as Record<
  RegisterCountry,
  ReturnType<typeof registerSchema>
>;

const Health = v.object({
  status: described(v.picklist(["ok", "degraded"]), "`degraded` if `problems` lists anything."),
  version: described(v.string(), "The server software's version, not the API's."),
  version_id: described(v.string(), "The ID of the deployment that responded."),
  data_version: described(
    v.string(),
    "The version of the data behind results, as in their `Data-Version` header: the numbering plans' release, `+`, and the first digits of a digest of all tables in `data`. It changes whenever any of them does.",
  ),
  data: described(
    v.object({
      numbering_plans: described(DataRelease, "Validity, type, country, and formats."),
      carriers: described(DataRelease, "Range carriers."),
      locations: described(DataRelease, "Number areas."),
      time_zones: described(DataRelease, "Area time zones."),
      country_time_zones: described(DataRelease, "Country time zones."),
      number_portability: described(DataRelease, "Where mobile numbers can move between carriers."),
      short_numbers: described(DataRelease, "Short and emergency numbers."),
    }),
    "The data release behind each part of a result.",
  ),
  registers: described(
    v.object(registers),
    "The register behind `allocation`, by country; null if this deployment leaves it out.",
  ),
  registers_ended: described(
    v.array(v.picklist(REGISTER_COUNTRIES)),
    "The countries whose register has become too old to call numbers unassigned. `status` stays `ok`.",
  ),
  problems: described(v.array(v.string()), "Setup tasks left for the operator."),
});
export type Health = v.InferOutput<typeof Health>;

export const service = endpoints({
  listCountries: {
    method: "get",
    path: "/api/v1/countries",
    tag: "Service",
    credential: "none",
    summary: "Countries and their numbers",
    description: "Pages of any origin can read it. You can cache it for an hour.",
    rate: "documents by address",
    success: { status: 200, description: "Every country with a numbering plan.", schema: CountriesResponse },
    errors: [],
  },
  country: {
    method: "get",
    path: "/api/v1/countries/{code}",
    tag: "Service",
    credential: "none",
    summary: "One country and its numbers",
    description:
      "`code` is a country code such as `GB`, in upper or lower case. Pages of any origin can read it. You can cache it for an hour.",
    rate: "documents by address",
    success: { status: 200, description: "The country.", schema: Country },
    errors: ["NOT_FOUND"],
  },
  health: {
    method: "get",
    path: "/api/v1/health",
    tag: "Service",
    credential: "none",
    summary: "Health and versions",
    rate: "documents by address",
    success: { status: 200, description: "The service is up.", schema: Health },
    errors: [],
  },
  status: {
    method: "get",
    path: "/api/v1/status",
    tag: "Service",
    credential: "none",
    summary: "Status",
    description:
      "Results of our own health checks, run every few minutes and kept for 90 days. It responds even while the database is down, with whatever is known. You can cache it for five seconds, except with `strict`.",
    query: StatusQuery,
    rate: "documents by address",
    success: {
      status: 200,
      description: "The state of each component. A failing component isn't an error, except with `strict`.",
      schema: Status,
    },
    errors: ["VALIDATION_FAILED", "NOT_WORKING"],
  },
  openapi: {
    method: "get",
    path: "/api/v1/openapi.json",
    tag: "Service",
    credential: "none",
    summary: "This document",
    rate: "documents by address",
    success: {
      status: 200,
      description: "An OpenAPI 3.1 document.",
      schema: v.looseObject({ openapi: described(v.string(), "The OpenAPI version.") }),
    },
    errors: [],
  },
  openapiPublic: {
    method: "get",
    path: "/api/v1/openapi-public.json",
    tag: "Service",
    credential: "none",
    summary: "This document, with the calls for programs alone",
    description: "For client generators: without registration, login, and the dashboard's calls.",
    rate: "documents by address",
    success: {
      status: 200,
      description: "An OpenAPI 3.1 document.",
      schema: v.looseObject({ openapi: described(v.string(), "The OpenAPI version.") }),
    },
    errors: [],
  },
  demoLookup: {
    method: "post",
    path: "/api/v1/demo/lookup",
    tag: "Service",
    credential: "none",
    summary: "The demo on the landing page, and the docs' console",
    description: `For this site only; requests from anywhere else are rejected. It returns the same response as a live key or, in the sandbox, a test key, up to ${DEMO_LOOKUPS_PER_MINUTE} times per minute per IP address. The sandbox's own numbers don't count toward that. The number isn't counted or stored.`,
    request: { schema: DemoRequest, example: { number: "+5511987654321" } },
    sameOrigin: "DEMO_ORIGIN_REFUSED",
    rate: "demo lookups by address",
    success: {
      status: 200,
      description:
        "What numbering plans and registers tell us about the number. An invalid number is a result, not an error.",
      schema: VerificationResult,
    },
    sandbox: true,
    errors: [...READING_A_BODY, "DEMO_ORIGIN_REFUSED"],
  },
});
