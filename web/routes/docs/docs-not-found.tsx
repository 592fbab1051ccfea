import { Link } from "react-router";
import { docPath } from "../../content/docs/sections.ts";

export function meta() {
  return [{ title: "Page not found · Checkline docs" }, { name: "robots", content: "noindex" }];
}

/** Where most readers want to go; the navigation has all pages. */
const WAYS = [
  { slug: "introduction", label: "Introduction", about: "From sign-up to your first verified number" },
  { slug: "api-reference", label: "API reference", about: "Every endpoint, field, limit, and error" },
  { slug: "sandbox", label: "Sandbox", about: "Numbers that succeed or fail on purpose" },
  { slug: "sdks", label: "SDKs", about: "Install and use one in your language" },
] as const;

/** A URL below `/docs` without a page. */
export default function DocsNotFound() {
  return (
    <section className="max-w-[44rem]">
      <p className="label">404</p>
      <h1 className="mt-3 text-title">Page not found</h1>
      <p className="mt-5 max-w-[48ch] text-lead text-soft">Check the URL, search the docs, or start here.</p>
      <ul className="mt-8 grid gap-3 sm:grid-cols-2">
        {WAYS.map(({ slug, label, about }) => (
          <li key={slug}>
            <Link
              to={docPath(slug)}
              className="group block h-full rounded-md border border-line px-4 py-3.5 hover:border-edge"
            >
              <span className="block font-medium group-hover:underline">{label}</span>
              <span className="mt-1 block text-sm text-muted">{about}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
