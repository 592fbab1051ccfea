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

/** The head of a docs page. */
export function docMeta({ slug, title, description }: DocHandle): MetaDescriptor[] {
  return pageMeta({ title: `${title} · Checkline docs`, description, path: `/docs/${slug}` });
}
