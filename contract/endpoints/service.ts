import * as v from "valibot";
import type { Endpoint } from "./endpoint.ts";

export const Health = v.object({
  status: v.pipe(v.picklist(["ok", "degraded"]), v.description("Degraded when `problems` names something.")),
  version: v.pipe(v.string(), v.description("The version of the service.")),
  data: v.object({
    numbering_plans: v.pipe(v.string(), v.description("The libphonenumber release of the numbering plans.")),
    carriers: v.pipe(v.string(), v.description("The libphonenumber release of the carrier table.")),
    locations: v.pipe(v.string(), v.description("The libphonenumber release of the location table.")),
    time_zones: v.pipe(v.string(), v.description("The libphonenumber release of the time zone table.")),
  }),
  problems: v.pipe(v.array(v.string()), v.description("What the operator has to set up still, in sentences.")),
});
export type Health = v.InferOutput<typeof Health>;

export const SERVICE_ENDPOINTS: readonly Endpoint[] = [
  {
    id: "health",
    method: "get",
    path: "/api/v1/health",
    tag: "Service",
    auth: "none",
    summary: "Health and versions",
    success: { status: 200, description: "The service is up.", schema: Health },
    errors: [],
  },
  {
    id: "openapi",
    method: "get",
    path: "/api/v1/openapi.json",
    tag: "Service",
    auth: "none",
    summary: "This document",
    success: { status: 200, description: "An OpenAPI 3.1 document.", schema: v.looseObject({ openapi: v.string() }) },
    errors: [],
  },
];
