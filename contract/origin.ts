/**
 * Where this service is deployed. `.example` is reserved by RFC 2606, so a default that nobody changed can never hand a key to a
 * stranger's host. An operator sets this once; pages show the origin they are served from.
 */
export const ORIGIN = "https://checkline.example";

/** Every call of the API lives under this path; `POST /verify` is the one alias outside it. */
export const API_BASE_PATH = "/api/v1";
