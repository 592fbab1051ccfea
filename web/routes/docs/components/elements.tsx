import type { ComponentProps } from "react";
import { Link } from "react-router";
import { SiteLink } from "../../../components/ui/link.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";

function Anchor({ href = "", ...rest }: ComponentProps<"a">) {
  return <SiteLink {...rest} to={href} />;
}

function HeadingText({ id, children }: ComponentProps<"h2">) {
  return (
    <Link to={`#${id}`} className="group/anchor">
      {children}
      <span
        aria-hidden="true"
        className="ml-2 font-normal text-muted opacity-0 group-hover/anchor:opacity-100 group-focus-visible/anchor:opacity-100"
      >
        #
      </span>
    </Link>
  );
}

function Heading2(props: ComponentProps<"h2">) {
  return (
    <h2 id={props.id}>
      <HeadingText {...props} />
    </h2>
  );
}

function Heading3(props: ComponentProps<"h3">) {
  return (
    <h3 id={props.id}>
      <HeadingText {...props} />
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
