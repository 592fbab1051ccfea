/**
 * All SDKs have the same version: they are released together, since one conformance suite keeps their behavior
 * identical.
 */
export const SDK_VERSION = "1.0.0";

/**
 * The prefix of Idempotency-Keys that an SDK generates for each call. Such a call is remembered for an hour instead of
 * 48.
 */
export const SDK_IDEMPOTENCY_PREFIX = "sdk-";

/** The environment variables from which each SDK reads its key and an optional service address. */
export const SDK_ENVIRONMENT = { apiKey: "CHECKLINE_API_KEY", baseUrl: "CHECKLINE_BASE_URL" } as const;

/** The SDKs' codes for errors that don't come from the service: no response, a timeout, and an unusable response. */
export const SDK_ERROR_CODES = ["CONNECTION_FAILED", "TIMEOUT", "UNEXPECTED_RESPONSE"] as const;
