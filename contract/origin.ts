/**
 * Where this service is deployed. `.example` is reserved by RFC 2606, so an unchanged default can never send a key to a
 * stranger's host. An operator sets this once; pages show the origin they are served from.
 */
export const ORIGIN = "https://checkline.example";

/** The base path of every API call except the alias `POST /verify`. */
export const API_BASE_PATH = "/api/v1";

/** The newest version of the API, the OpenAPI document's `info.version`. web/content/changelog.ts says what it added. */
export const API_VERSION = "1.0.0";
