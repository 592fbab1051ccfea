/** Where the platform places a Durable Object, by its names for regions. */
export type Region = (typeof REGIONS)[keyof typeof REGIONS];

/** The region for callers of a continent. */
export const REGIONS = { AF: "afr", AS: "apac", EU: "weur", NA: "enam", OC: "oc", SA: "sam" } as const;

/**
 * The platform's data on a request: the data center that received it, such as `GRU`, and the sender's continent and
 * country.
 */
interface Origin {
  readonly colo?: string;
  readonly continent?: string;
  readonly country?: string;
}

/** Where a request comes from. Every access makes the platform parse all it has on a request. */
export function originOf(request: { readonly cf?: unknown }): Origin {
  return request.cf ?? {};
}

/** Where an isolate runs. */
export interface Site {
  readonly colo: string | undefined;
  readonly region: Region | undefined;
}

function readSite(request: { readonly cf?: unknown }): Site {
  const { colo, continent } = originOf(request);
  return { colo, region: REGIONS[continent as keyof typeof REGIONS] };
}

/**
 * Remembers an isolate's location from its first request: it never moves. Callers are near their data center, so the
 * first one's continent applies to all.
 */
export function createSite(): (request: { readonly cf?: unknown }) => Site {
  let site: Site | undefined;
  return function siteOf(request) {
    return (site ??= readSite(request));
  };
}
