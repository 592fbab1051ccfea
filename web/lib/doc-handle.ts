import type { MetaDescriptor } from "react-router";
import { pageMeta } from "./page-meta.ts";

/** A docs heading shown in the list beside the page. */
export interface DocHeading {
  readonly id: string;
  readonly text: string;
  readonly depth: 2 | 3;
}

/** What a docs page passes to the surrounding layout; plugins/docs adds it to each page as the route's `handle`. */
export interface DocHandle {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly headings: readonly DocHeading[];
}

/** What a text of `content/pages/` passes to its layout. */
export interface TextHandle extends DocHandle {
  readonly lead: string;
  /** "YYYY-MM-DD", for legal texts. */
  readonly updated?: string;
}

/** The head of such a text. */
export function textMeta({ slug, title, description }: DocHandle): MetaDescriptor[] {
  const name = title.includes("Checkline") ? title : `${title} · Checkline`;
  return pageMeta({ title: name, description, path: `/${slug}` });
}

/** The head of a docs page. */
export function docMeta({ slug, title, description }: DocHandle): MetaDescriptor[] {
  return pageMeta({ title: `${title} · Checkline docs`, description, path: `/docs/${slug}` });
}
