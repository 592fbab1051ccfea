import type { ComponentProps } from "react";
import { Link } from "react-router";
import { clsx } from "clsx";
import { isExternal, isPage } from "../../lib/href.ts";

export type SiteLinkProps = Omit<ComponentProps<"a">, "href"> & {
  /** A page of the site ("/docs"), a file or API path, an anchor ("#limits"), or an address elsewhere. */
  to: string;
};

/** An unstyled link. Pages open through the router; everything else is an ordinary `<a>`. */
export function SiteLink({ to, rel, children, ...rest }: SiteLinkProps) {
  if (isPage(to)) {
    return (
      <Link {...rest} to={to} rel={rel}>
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

/** A link within text: the text's own colour, underlined. */
export function TextLink({ className, ...rest }: SiteLinkProps) {
  return <SiteLink {...rest} className={clsx("text-link", className)} />;
}
