import { useEffect, useRef } from "react";
import { Logo } from "../components/brand/logo.tsx";
import { Button, buttonClass } from "../components/ui/button.tsx";

/**
 * A page that failed, and what to do. It has little that could fail with it, and its links load a new document rather
 * than more of a broken one.
 */
export function ErrorPage({ error }: { error: unknown }) {
  const heading = useRef<HTMLHeadingElement>(null);

  // The focused element is gone with the page. This also announces what happened.
  useEffect(() => heading.current?.focus(), []);

  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line">
        <div className="page-width flex min-h-16 items-center">
          <Logo />
        </div>
      </header>
      <main className="page-width flex flex-1 flex-col items-start justify-center py-16 sm:pb-28">
        {/* The logo's line, broken. */}
        <svg viewBox="0 0 112 20" width="168" height="30" fill="none" aria-hidden="true" className="mb-9">
          <path d="M0 10h38M74 10h38" stroke="var(--edge)" strokeWidth="2" />
          <path d="m49 3 14 14m0-14-14 14" stroke="var(--invalid)" strokeWidth="2.5" strokeLinecap="round" />
        </svg>
        <h1 ref={heading} tabIndex={-1} className="text-title outline-none">
          This page broke
        </h1>
        <p className="mt-4 max-w-[48ch] text-lead text-soft">
          It’s our fault, and your data is safe. Reloading may fix it.
        </p>
        <div className="mt-9 flex flex-wrap gap-3">
          <Button size="lg" onClick={() => window.location.reload()}>
            Reload
          </Button>
          <a href="/" className={buttonClass({ size: "lg", variant: "secondary" })}>
            Back to the home page
          </a>
        </div>
        <p className="mt-10 text-sm text-muted">
          Still not working? Check the{" "}
          <a href="/status" className="text-link text-ink">
            status page
          </a>{" "}
          or{" "}
          <a href="/docs/support" className="text-link text-ink">
            contact support
          </a>
          {error instanceof Error ? " with this message:" : "."}
        </p>
        {error instanceof Error && <p className="label mt-2 max-w-[70ch] wrap-anywhere">{String(error)}</p>}
      </main>
    </div>
  );
}
