import { Link } from "react-router";
import { ButtonLink } from "../../components/ui/button.tsx";
import { DOC_PAGES, docPath } from "../../content/docs/sections.ts";

export function meta() {
  return [{ title: "Page not found · Checkline docs" }, { name: "robots", content: "noindex" }];
}

/** A URL below `/docs` without a page. */
export default function DocsNotFound() {
  return (
    <section>
      <p className="label">404</p>
      <h1 className="mt-3 text-title">This page is not in the docs.</h1>
      <p className="mt-5 max-w-[48ch] text-lead text-soft">
        The URL may be mistyped, or the page has moved. These are all the pages.
      </p>
      <ul className="mt-8 grid border-t border-line sm:grid-cols-2 sm:gap-x-10">
        {DOC_PAGES.map(({ slug, label }) => (
          <li key={slug} className="border-b border-line">
            <Link to={docPath(slug)} className="block py-3 font-medium hover:underline">
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <ButtonLink to={docPath("introduction")} className="mt-9">
        Start with the introduction
      </ButtonLink>
    </section>
  );
}
