import { NavLink } from "react-router";
import { DOC_GROUPS, docPath } from "../../content/docs/sections.ts";

/** All pages of the docs by group; the present one is marked. */
export function SectionsList() {
  return (
    <ul className="grid gap-7">
      {DOC_GROUPS.map(({ title, pages }) => (
        <li key={title}>
          <p className="label mb-2">{title}</p>
          <ul className="border-l border-line">
            {pages.map(({ slug, label }) => (
              <li key={slug}>
                <NavLink
                  to={docPath(slug)}
                  className="-ml-px block border-l border-transparent py-1.5 pl-4 text-base leading-snug text-soft hover:text-ink aria-[current=page]:border-ink aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-2.5"
                >
                  {label}
                </NavLink>
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  );
}
