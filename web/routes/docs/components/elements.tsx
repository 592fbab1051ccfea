import type { ComponentProps } from "react";
import { HeadingLink } from "../../../components/site/heading-link.tsx";
import { SiteLink } from "../../../components/ui/link.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";

function Anchor({ href = "", ...rest }: ComponentProps<"a">) {
  return <SiteLink {...rest} to={href} />;
}

function Heading2({ id, children }: ComponentProps<"h2">) {
  return (
    <h2 id={id}>
      <HeadingLink id={id}>{children}</HeadingLink>
    </h2>
  );
}

function Heading3({ id, children }: ComponentProps<"h3">) {
  return (
    <h3 id={id}>
      <HeadingLink id={id}>{children}</HeadingLink>
    </h3>
  );
}

function DocTable({ children, "data-name": name }: ComponentProps<"table"> & { "data-name"?: string }) {
  return (
    <Table caption={name} hideCaption flush className="doc-table">
      {children}
    </Table>
  );
}

const ELEMENTS = { a: Anchor, h2: Heading2, h3: Heading3, table: DocTable, th: Th, td: Td };

/** What Markdown's own elements are on the site. MDX asks for this function by its name. */
export function useMDXComponents() {
  return ELEMENTS;
}
