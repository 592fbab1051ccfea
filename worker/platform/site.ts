/** Where the platform places a Durable Object, by the names that it gives it. */
export type Region = (typeof REGIONS)[keyof typeof REGIONS];

/** The region for callers of a continent. */
export const REGIONS = { AF: "afr", AS: "apac", EU: "weur", NA: "enam", OC: "oc", SA: "sam" } as const;

/** What the platform says of a request: the data center that took it, such as `GRU`, and its sender's continent and country. */
interface Origin {
  readonly colo?: string;
  readonly continent?: string;
  readonly country?: string;
}

/** Where a request comes from. The platform parses all that it knows of a request for each that asks. */
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
 * Remembers where an isolate runs from its first request: it never moves. Callers are near their data center, so that the first one's
 * continent does for all.
 */
export function createSite(): (request: { readonly cf?: unknown }) => Site {
  let site: Site | undefined;
  return function siteOf(request) {
    return (site ??= readSite(request));
  };
}
