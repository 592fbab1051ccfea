import { lazy, useEffect, useRef, useState } from "react";
import type { ReactNode } from "react";
import { Links, Meta, Outlet, Scripts, ScrollRestoration, useLocation, useRouteError } from "react-router";
import type { LinksFunction } from "react-router";
import monoFont from "@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2?url";
import sansFont from "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2?url";
import { Toaster } from "./components/ui/toaster.tsx";
import { THEME_SCRIPT } from "./lib/theme.ts";
import { ErrorPage } from "./routes/error-page.tsx";
import "./app.css";

/** Most pages never load it. Without `Suspense`, which would hide its prerendered form until the script runs. */
const NotFound = lazy(() => import("./routes/not-found.tsx"));

/**
 * Does for client-side navigation what a browser does on page load: the focus starts at the content, and a screen
 * reader announces the title.
 */
function RouteAnnouncer() {
  const { pathname } = useLocation();
  const last = useRef(pathname);
  const [title, setTitle] = useState("");

  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    setTitle(document.title);
    // The page may have moved the focus itself, and a visitor may have opened a dialog by now.
    if (!document.activeElement?.closest("main, [role$=dialog][data-open]")) {
      document.querySelector<HTMLElement>("main")?.focus({ preventScroll: true });
    }
  }, [pathname]);

  return (
    <p aria-live="polite" className="sr-only">
      {title}
    </p>
  );
}

function preload(font: string) {
  return { rel: "preload", href: font, as: "font", type: "font/woff2", crossOrigin: "anonymous" } as const;
}

export const links: LinksFunction = () => [
  preload(sansFont),
  preload(monoFont),
  { rel: "icon", href: "/favicon.svg", type: "image/svg+xml" },
  { rel: "apple-touch-icon", href: "/apple-touch-icon.png" },
];

/** For the fallback, not-found, and error pages: every other route has its own. */
export function meta({ error }: { error?: unknown }) {
  const title = error ? "Something went wrong" : "Page not found";
  return [{ title: `${title} · Checkline` }, { name: "robots", content: "noindex" }];
}

/**
 * Without a script, hides what needs one, and shows all samples, with their languages' names. The layer is the first of
 * Tailwind's: its own rule for `[hidden]` is important, and of two important rules the one in the earlier layer wins.
 */
const WITHOUT_SCRIPT =
  "@layer theme{[data-samples] [hidden]{display:block!important}[data-samples] [role=tablist],[data-needs-script]{display:none!important}[data-folded]{max-height:none!important}}";

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <script dangerouslySetInnerHTML={{ __html: THEME_SCRIPT }} />
        <Meta />
        <Links />
        <noscript>
          <style>{WITHOUT_SCRIPT}</style>
        </noscript>
      </head>
      <body>
        {children}
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  );
}

/** The fallback page is served for every unknown address, so it shows the not-found page before the script runs. */
export function HydrateFallback() {
  return <NotFound />;
}

/** Replaces a page that failed. */
export function ErrorBoundary() {
  return <ErrorPage error={useRouteError()} />;
}

export default function Root() {
  return (
    <>
      <Outlet />
      <Toaster />
      <RouteAnnouncer />
    </>
  );
}
