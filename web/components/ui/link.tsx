import type { ComponentProps } from "react";
import { Link, parsePath, useLinkClickHandler } from "react-router";
import { clsx } from "clsx";
import { readToken } from "../../lib/session/token.ts";

const SCHEME_OR_HOST = /^(?:[a-z][a-z\d+.-]*:|\/\/)/i;

/** Whether an address leads away from this origin, or to another program (`mailto:`, `tel:`). */
function isExternal(href: string): boolean {
  return SCHEME_OR_HOST.test(href);
}

/**
 * Whether the router handles the address as a page. Anchors on the same page, API paths, and files (a dot in the last
 * segment) are loaded by the browser itself.
 */
function isPage(href: string): boolean {
  if (isExternal(href) || href.startsWith("#")) return false;
  const [path = ""] = href.split(/[?#]/, 1);
  return !path.startsWith("/api/") && !path.slice(path.lastIndexOf("/")).includes(".");
}

export type SiteLinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** A page of the site ("/docs"), a file or API path, an anchor ("#limits"), or an address elsewhere. */
  to: string;
  /** For the page that opens. */
  state?: unknown;
};

/** A link to the dashboard. Visitors get the login page, which leads there, without loading the dashboard first. */
function DashboardLink({ to, state, onClick, ...rest }: SiteLinkProps) {
  const openLogin = useLinkClickHandler<HTMLAnchorElement>("/login", { state: { from: { ...parsePath(to), state } } });
  return (
    <Link
      {...rest}
      to={to}
      state={state}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented && readToken() === null) openLogin(event);
      }}
    />
  );
}

/** An unstyled link. Pages open through the router; everything else is an ordinary `<a>`. */
export function SiteLink(props: SiteLinkProps) {
  const { to, rel, state, children, ...rest } = props;
  if (/^\/dashboard(?:$|[/?#])/.test(to)) return <DashboardLink {...props} />;
  if (isPage(to)) {
    return (
      <Link {...rest} to={to} rel={rel} state={state}>
        {children}
      </Link>
    );
  }
  return (
    <a {...rest} href={to} rel={rel ?? (isExternal(to) ? "noopener noreferrer" : undefined)}>
      {children}
    </a>
  );
}

/** A page's first link, shown on focus: skips its header. */
export function SkipLink() {
  return (
    <a
      href="#main"
      className="fixed top-2 left-2 z-30 -translate-y-20 rounded-md bg-ink px-4 py-3 text-paper focus:translate-y-0"
    >
      Skip to content
    </a>
  );
}

/** A link within text: the text's own color, underlined. */
export function TextLink({ className, ...rest }: SiteLinkProps) {
  return <SiteLink {...rest} className={clsx("text-link", className)} />;
}
