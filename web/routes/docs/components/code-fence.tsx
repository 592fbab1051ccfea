import { ORIGIN } from "../../../../contract/origin.ts";
import { CodeBlock } from "../../../components/ui/code-block.tsx";
import { useOrigin } from "../../../lib/origin.ts";

interface CodeFenceProps {
  /** Highlighted when the site was built. */
  readonly html: string;
  readonly title?: string;
  readonly label: string;
}

/** The code behind its highlighted form, so that pages hold it once. */
export function plainCode(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
}

/** A fence of a page: code to copy, with the origin that the page is served from. */
export function CodeFence({ html, title, label }: CodeFenceProps) {
  const shown = html.replaceAll(ORIGIN, useOrigin());
  return <CodeBlock html={shown} code={plainCode(shown)} title={title} label={label} />;
}

/** Code within a sentence that names the origin. */
export function OriginCode({ text }: { text: string }) {
  return <code>{text.replaceAll(ORIGIN, useOrigin())}</code>;
}
