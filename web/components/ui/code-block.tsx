import type { ReactNode } from "react";
import { clsx } from "clsx";
import { focusWhileScrolling } from "../../lib/focus-while-scrolling.ts";
import { CopyButton } from "./copy-button.tsx";

export interface CodeBlockProps {
  /** The highlighted code: the content of `<code>`. Without it the plain text is shown. */
  html?: string | undefined;
  /** The code to copy. */
  code: string;
  /** What the code is: "Request with curl". The name of the region and, after "Copy", of the button. */
  label: string;
  /** Shown in a bar above: a file name, a language. No bar without it. */
  title?: ReactNode;
  /** A control at the end of the bar, before the copy button. */
  barEnd?: ReactNode;
  /** Long lines wrap instead of scrolling sideways. */
  wrap?: boolean | undefined;
  /** Called once the code is on the clipboard. */
  onCopied?: (() => void) | undefined;
  className?: string | undefined;
}

/** Code to read and copy. Long lines scroll sideways in a keyboard-accessible region. */
export function CodeBlock({ html, code, label, title, barEnd, wrap, onCopied, className }: CodeBlockProps) {
  const name = `Copy ${label.charAt(0).toLowerCase()}${label.slice(1)}`;
  const copy = <CopyButton text={code} label={name} onCopied={onCopied} />;
  const bar = Boolean(title);
  return (
    <div
      className={clsx("relative min-w-0 overflow-hidden rounded-md border border-line bg-surface text-left", className)}
    >
      {bar ? (
        <div className="flex min-h-11 items-center gap-2 border-b border-line py-1 pr-2 pl-4">
          <div className="label min-w-0 flex-1 text-balance wrap-anywhere">{title}</div>
          {barEnd}
          {copy}
        </div>
      ) : (
        <div className="absolute top-2 right-2 z-1 rounded-md bg-surface">{copy}</div>
      )}
      <pre
        // Named, it needs a role, which no other tag has.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="group"
        aria-label={label}
        ref={focusWhileScrolling}
        className={clsx(
          "fade-end overflow-x-auto p-4 font-mono text-sm leading-[1.7] text-ink [tab-size:2] focus-visible:-outline-offset-2",
          wrap && "[text-indent:6ch_hanging_each-line] wrap-anywhere whitespace-pre-wrap",
          !bar && "pr-14",
        )}
      >
        {html === undefined ? <code>{code}</code> : <code dangerouslySetInnerHTML={{ __html: html }} />}
      </pre>
    </div>
  );
}
