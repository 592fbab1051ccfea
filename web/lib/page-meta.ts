import type { MetaDescriptor } from "react-router";
import { SITE_ORIGIN } from "./site-origin.ts";

export interface PageMeta {
  /** The whole title, as a search result shows it. */
  readonly title: string;
  readonly description: string;
  /** The page's own path, such as `/help`. */
  readonly path: string;
  /** False for pages that search engines should ignore, which are those outside the sitemap. */
  readonly indexed?: boolean;
}

/** A page's metadata for search engines and for link previews. */
export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const { title, description, path, indexed = true } = page;
  const url = new URL(path, SITE_ORIGIN).href;
  return [
    { title },
    { name: "description", content: description },
    ...(indexed ? [] : [{ name: "robots", content: "noindex" }]),
    { tagName: "link", rel: "canonical", href: url },
    { property: "og:type", content: "website" },
    { property: "og:site_name", content: "Checkline" },
    { property: "og:title", content: title },
    { property: "og:description", content: description },
    { property: "og:url", content: url },
    { property: "og:image", content: new URL("/social-card.png", SITE_ORIGIN).href },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** The metadata of an account page, which search engines ignore. */
export function accountPageMeta(name: string, path: string, description: string): MetaDescriptor[] {
  return pageMeta({ title: `${name} · Checkline`, description, path, indexed: false });
}
