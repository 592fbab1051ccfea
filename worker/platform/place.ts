/** Where the platform places a Durable Object, by its names for regions. */
export type Region = (typeof REGIONS)[keyof typeof REGIONS];

/** The region for callers of a continent. */
export const REGIONS = { AF: "afr", AS: "apac", EU: "weur", NA: "enam", OC: "oc", SA: "sam" } as const;

/**
 * The platform's data on a request: the data center that received it, such as `GRU`, and the sender's continent and
 * country.
 */
interface Sender {
  readonly colo?: string;
  readonly continent?: string;
  readonly country?: string;
}

/** Where a request comes from. Every access makes the platform parse all it has on a request. */
function senderOf(request: { readonly cf?: unknown }): Sender {
  return request.cf ?? {};
}

/** The sender's country, ISO 3166-1 alpha-2; null if the platform doesn't know it, or for its placeholders `XX` and `T1`. */
export function countryOf(request: { readonly cf?: unknown }): string | null {
  const { country = "" } = senderOf(request);
  return /^(?!XX)[A-Z]{2}$/.test(country) ? country : null;
}

/** Where an isolate runs. */
export interface Place {
  readonly colo: string | undefined;
  readonly region: Region | undefined;
}

function readPlace(request: { readonly cf?: unknown }): Place {
  const { colo, continent } = senderOf(request);
  return { colo, region: REGIONS[continent as keyof typeof REGIONS] };
}

/**
 * Remembers an isolate's location from its first request: it never moves. Callers are near their data center, so the
 * first one's continent applies to all.
 */
export function createPlace(): (request: { readonly cf?: unknown }) => Place {
  let place: Place | undefined;
  return function placeOf(request) {
    return (place ??= readPlace(request));
  };
}
