import { clsx } from "clsx";
import Info from "lucide-react/icons/info";
import TriangleAlert from "lucide-react/icons/triangle-exclamation-point";
import { Children, createContext, isValidElement, use } from "react";
import type { ComponentProps, ReactNode } from "react";
import { ORIGIN } from "../../../../contract/origin.ts";
import { HeadingLink } from "../../../components/site/heading-link.tsx";
import { breakable } from "../../../components/ui/breakable.tsx";
import { CodeBlock } from "../../../components/ui/code-block.tsx";
import { SiteLink } from "../../../components/ui/link.tsx";
import { Table, Td, Th } from "../../../components/ui/table.tsx";
import { CONTACT, mailto } from "../../../content/contact.ts";
import { emptyReport, reportText } from "../../../content/wrong-result.ts";
import { ASSISTANTS, installLink } from "../../../lib/install-link.ts";
import type { Assistant } from "../../../lib/install-link.ts";
import { useOrigin } from "../../../lib/origin.ts";

function Anchor({ href = "", ...rest }: ComponentProps<"a">) {
  return <SiteLink {...rest} to={href} />;
}

export function Heading2({ id, children }: ComponentProps<"h2">) {
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

/** Code that fits on one line of a phone stays on one: `POST /api/v1/verify` does not break at its space. */
const ONE_LINE = 25;

/** Longer code moves to the next line before it breaks, and stays in one box: `POST /api/v1/verify/stream`. */
const ONE_BOX = 40;

function breaking(length: number): string | undefined {
  if (length <= ONE_LINE) return "whitespace-nowrap";
  return length <= ONE_BOX ? "inline-block max-w-full leading-[1.3]" : undefined;
}

/** Code within a sentence. */
export function InlineCode({ children }: { children?: ReactNode }) {
  if (typeof children !== "string") return <code>{children}</code>;
  return <code className={breaking(children.length)}>{breakable(children)}</code>;
}

const ELEMENTS = { a: Anchor, code: InlineCode, h2: Heading2, h3: Heading3, table: DocTable, th: Th, td: Td };

/** The site's versions of Markdown elements. MDX requires this function name. */
export function useMDXComponents() {
  return ELEMENTS;
}

export interface CalloutProps {
  /** warning: something breaks or leaks if it is ignored. */
  type?: "note" | "warning";
  /** Replaces "Note" or "Warning". */
  title?: string;
  children: ReactNode;
}

/** A remark that must not be overlooked. */
export function Callout({ type = "note", title, children }: CalloutProps) {
  const warning = type === "warning";
  const Icon = warning ? TriangleAlert : Info;
  return (
    <div
      role="note"
      className={clsx(
        "rounded-md border px-4 py-3.5",
        warning ? "border-possible/35 bg-possible-wash" : "border-line bg-surface",
      )}
    >
      <p className={clsx("flex items-center gap-2 text-sm font-medium", warning ? "text-possible" : "text-ink")}>
        <Icon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.75} />
        {title ?? (warning ? "Warning" : "Note")}
      </p>
      <div className="doc-flow mt-1.5">{children}</div>
    </div>
  );
}

interface CodeFenceProps {
  /** Highlighted when the site was built. */
  readonly html: string;
  readonly title?: string;
  readonly label: string;
}

/** The plain code behind highlighted HTML, so that pages contain it once. */
export function plainCode(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}

interface Frame {
  /** Shown at the end of its bar. */
  readonly end?: ReactNode;
  /** Changes its code, as HTML. */
  readonly adapt?: ((html: string) => string) | undefined;
}

/** What surrounds the fences within. */
export const CodeFrame = createContext<Frame>({});

/** A fence on a page: code to copy, with the page's own origin. Long lines wrap. */
export function CodeFence({ html, title, label }: CodeFenceProps) {
  const { end, adapt = String } = use(CodeFrame);
  const shown = adapt(html.replaceAll(ORIGIN, useOrigin()));
  return <CodeBlock html={shown} code={plainCode(shown)} title={title} barEnd={end} label={label} wrap />;
}

/** Inline code that contains the origin. */
export function OriginCode({ text }: { text: string }) {
  return <code>{text.replaceAll(ORIGIN, useOrigin())}</code>;
}

/** One of our email addresses as a link. */
export function Contact({ to }: { to: keyof typeof CONTACT }) {
  return <a href={mailto(CONTACT[to])}>{CONTACT[to]}</a>;
}

/** Opens an email that reports a wrong result, optionally of a field. */
export function WrongResult({ field = "" }: { field?: string }) {
  return <a href={emptyReport(field)}>{reportText(field)}</a>;
}

/** A link that adds the MCP server, at the page's own origin, to an assistant on the reader's machine. */
export function InstallLink({ to }: { to: Assistant }) {
  return <a href={installLink(to, useOrigin())}>Add to {ASSISTANTS[to]}</a>;
}

function isSide(child: ReactNode): boolean {
  return isValidElement(child) && child.type === Side;
}

/** A text with its samples in `Side`: side by side if there is room, else in their order. */
export function Split({ children }: { children: ReactNode }) {
  const parts = Children.toArray(children);
  const text = (
    <div key="text" className="doc-flow">
      {parts.filter((part) => !isSide(part))}
    </div>
  );
  const sides = parts.filter(isSide);
  return <div className="doc-split">{isSide(parts[0]) ? [sides, text] : [text, sides]}</div>;
}

/** Shown beside the text, and sticky while a longer text is read. */
export function Side({ children }: { children: ReactNode }) {
  return <div className="doc-side doc-flow">{children}</div>;
}

/** Steps in order; contains `Step`s. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className="doc-steps">{children}</ol>;
}

/** One step. The build turns its title into the heading of its children. */
export function Step({ children }: { title: string; children: ReactNode }) {
  return <li className="doc-flow">{children}</li>;
}
