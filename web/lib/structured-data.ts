import type { MetaDescriptor } from "react-router";
import { SITE_ORIGIN } from "./site-origin.ts";

/** The landing page for search engines: a site, and the service it offers. No ratings, no made-up prices. */
export const LANDING_DATA: MetaDescriptor = {
  "script:ld+json": {
    "@context": "https://schema.org",
    "@graph": [
      { "@type": "WebSite", "@id": `${SITE_ORIGIN}/#site`, name: "Checkline", url: SITE_ORIGIN },
      {
        "@type": "WebAPI",
        name: "Checkline",
        description: "Phone number verification: validity, country, area, original carrier, and line type.",
        url: SITE_ORIGIN,
        documentation: `${SITE_ORIGIN}/docs/introduction`,
        termsOfService: `${SITE_ORIGIN}/terms`,
      },
    ],
  },
};
