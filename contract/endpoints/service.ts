import * as v from "valibot";
import { described } from "../body.ts";
import { DEMO_LOOKUPS_PER_MINUTE } from "../limits.ts";
import { Status } from "../status.ts";
import { DemoRequest, VerificationResult } from "../verification.ts";
import { endpoints, READING_A_BODY } from "./endpoint.ts";

const DataRelease = v.object({
  source: described(v.string(), "What the table is compiled from."),
  release: described(v.string(), "The release of libphonenumber, or of the time zone database."),
  date: described(
    v.nullable(v.pipe(v.string(), v.isoDate())),
    "The day of that release; null where the source does not say.",
  ),
});

const Health = v.object({
  status: described(v.picklist(["ok", "degraded"]), "Degraded when `problems` names something."),
  version: described(v.string(), "The version of the service."),
  version_id: described(v.string(), "The id of the deployed version that responded."),
  data: described(
    v.object({
      numbering_plans: described(DataRelease, "Validity, type, country, and formats."),
      carriers: described(DataRelease, "The carriers of ranges."),
      locations: described(DataRelease, "The areas of numbers."),
      time_zones: described(DataRelease, "The time zones of areas."),
      country_time_zones: described(DataRelease, "The time zones of countries."),
      number_portability: described(DataRelease, "Where mobile numbers can move between carriers."),
      short_numbers: described(DataRelease, "Short and emergency numbers."),
    }),
    "The release of the data behind each part of a result.",
  ),
  problems: described(v.array(v.string()), "What the operator still has to set up."),
});
export type Health = v.InferOutput<typeof Health>;

export const service = endpoints({
  health: {
    method: "get",
    path: "/api/v1/health",
    tag: "Service",
    credential: "none",
    summary: "Health and versions",
    success: { status: 200, description: "The service is up.", schema: Health },
    errors: [],
  },
  status: {
    method: "get",
    path: "/api/v1/status",
    tag: "Service",
    credential: "none",
    summary: "What the service's own checks have found",
    description:
      "Measurements only, made every few minutes and kept for ninety days. It responds while the database is down as well, with what is known then. May be cached for five seconds.",
    success: {
      status: 200,
      description: "The state of each part. A failing part is reported, not an error.",
      schema: Status,
    },
    errors: [],
  },
  openapi: {
    method: "get",
    path: "/api/v1/openapi.json",
    tag: "Service",
    credential: "none",
    summary: "This document",
    success: {
      status: 200,
      description: "An OpenAPI 3.1 document.",
      schema: v.looseObject({ openapi: described(v.string(), "The version of OpenAPI that it follows.") }),
    },
    errors: [],
  },
  demoLookup: {
    method: "post",
    path: "/api/v1/demo/lookup",
    tag: "Service",
    credential: "none",
    summary: "The demo on the landing page",
    description: `Exists for this site only: requests from anywhere else are refused. It returns what a live key gets, ${DEMO_LOOKUPS_PER_MINUTE} times a minute for each address, and nothing is counted or kept of the number.`,
    request: { schema: DemoRequest, example: { number: "+5511987654321" } },
    sameOrigin: "DEMO_ORIGIN_REFUSED",
    rate: "demo",
    success: {
      status: 200,
      description: "What the numbering plan knows about the number. An invalid number is a result, not an error.",
      schema: VerificationResult,
    },
    errors: [...READING_A_BODY, "DEMO_ORIGIN_REFUSED", "RATE_LIMITED"],
  },
});
