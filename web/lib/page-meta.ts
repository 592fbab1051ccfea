import type { MetaDescriptor } from "react-router";
import { SITE_ORIGIN } from "./site-origin.ts";

export interface PageMeta {
  /** The whole title, as a search result shows it. */
  readonly title: string;
  readonly description: string;
  /** The page's own path, such as `/help`. */
  readonly path: string;
  /** The path of its social image, 1200 by 630 pixels. */
  readonly image?: string;
  /** False for pages that search engines should leave out, which are those outside the sitemap. */
  readonly indexed?: boolean;
}

/** What the head of a page says to search engines and to the previews of chats and social networks. */
export function pageMeta(page: PageMeta): MetaDescriptor[] {
  const { title, description, path, image = "/social-card.png", indexed = true } = page;
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
    { property: "og:image", content: new URL(image, SITE_ORIGIN).href },
    { property: "og:image:width", content: "1200" },
    { property: "og:image:height", content: "630" },
    { name: "twitter:card", content: "summary_large_image" },
  ];
}

/** The head of a page for the visitor's own account, which search engines leave out. */
export function accountPageMeta(name: string, path: string, description: string): MetaDescriptor[] {
  return pageMeta({ title: `${name} · Checkline`, description, path, indexed: false });
}
