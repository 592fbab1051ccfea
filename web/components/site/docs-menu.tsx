import { ArrowRight, ChevronDown } from "lucide-react";
import { useRef } from "react";
import { Link } from "react-router";
import { SDKS } from "../../lib/language.ts";
import { DOCS_LINKS, SANDBOX_LINK, SDK_TILES } from "./links.ts";
import { useDismiss } from "./menu-disclosure.tsx";

/** The header's Docs dropdown: a disclosure with links, as the ARIA practices advise for site navigation. */
export function DocsMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  return (
    <details ref={details} className="group relative">
      <summary className="inline-flex min-h-11 list-none items-center gap-1 px-3 text-soft hover:text-ink [&::-webkit-details-marker]:hidden">
        Docs
        <ChevronDown aria-hidden="true" className="size-3.5 transition-transform group-open:rotate-180" />
      </summary>
      <div className="absolute top-full left-0 max-h-[calc(100dvh-4.5rem)] w-80 animate-appear overflow-y-auto rounded-lg border border-line bg-surface shadow-float">
        <ul className="p-2">
          {DOCS_LINKS.map(({ to, label, about }) => (
            <li key={to}>
              <Link to={to} className="block rounded-md px-3 py-2 hover:bg-sunken focus-visible:bg-sunken">
                <span className="block font-medium">{label}</span>
                <span className="block text-sm text-muted">{about}</span>
              </Link>
            </li>
          ))}
        </ul>
        <ul className="flex gap-1.5 border-t border-line px-5 py-4" aria-label="SDKs">
          {SDKS.map(({ id, label: language }) => (
            <li key={language} className="flex-1">
              <Link
                to={`/docs/sdks#${id}`}
                title={language}
                className="grid h-8 place-items-center rounded-sm border border-line font-mono text-xs text-muted hover:border-edge hover:text-ink"
              >
                <span aria-hidden="true" data-tile={SDK_TILES[language]} className="before:content-[attr(data-tile)]" />
                <span className="sr-only">{language} SDK</span>
              </Link>
            </li>
          ))}
        </ul>
        <Link
          to={SANDBOX_LINK.to}
          className="flex items-center justify-between rounded-b-lg border-t border-line px-5 py-3.5 font-medium hover:bg-sunken"
        >
          {SANDBOX_LINK.label}
          <ArrowRight aria-hidden="true" className="size-4 text-muted" />
        </Link>
      </div>
    </details>
  );
}
