import { Outlet, useLocation } from "react-router";
import { formatCount } from "../../../contract/format.ts";
import { TRIAL } from "../../../contract/plans.ts";
import { anatomyOf } from "../../components/anatomy/anatomy-of.ts";
import { AnatomyGhost } from "../../components/anatomy/anatomy-ghost.tsx";
import { Anatomy } from "../../components/anatomy/anatomy.tsx";
import { Logo } from "../../components/brand/logo.tsx";
import { SkipLink, TextLink } from "../../components/ui/link.tsx";
import { SPECIMENS } from "../../content/specimens.ts";

const PARTS = anatomyOf(SPECIMENS.US);

/** What the product does, as a drawing. Decorative; with a failed view, its struck-through form. */
function Specimen() {
  return (
    <div aria-hidden="true">
      <p className="label">The anatomy of a number</p>
      <Anatomy parts={PARTS} className="mt-6 group-has-data-failed/auth:hidden" />
      <AnatomyGhost struck className="mt-6 hidden group-has-data-failed/auth:block" />
    </div>
  );
}

const OFFERS = [
  [
    `${formatCount(TRIAL.quota)} live verifications`,
    `In ${TRIAL.days} days, for all countries. Invalid numbers are free.`,
  ],
  ["Test keys that cost nothing", "Fixed numbers for every success and failure, for your tests and CI."],
  ["Tools for the rest", "Seven SDKs, a command line, a list check for spreadsheets, and an MCP server."],
] as const;

function WhatYouGet() {
  return (
    <section aria-labelledby="offers">
      <h2 id="offers" className="text-2xl">
        What you get
      </h2>
      <dl className="mt-6 border-b border-line">
        {OFFERS.map(([title, text]) => (
          <div key={title} className="border-t border-line py-4">
            <dt className="text-lg font-medium">{title}</dt>
            <dd className="mt-1 text-soft">{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Layout for login, registration, and their links: one narrow column, and on all but phones a drawing or the offer. */
export default function AuthLayout() {
  const { pathname } = useLocation();
  return (
    <div className="group/auth grid min-h-dvh [--text-title:2rem] max-lg:grid-rows-[1fr_auto] lg:grid-cols-2">
      <SkipLink />
      <div className="flex min-w-0 flex-col">
        <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-6 px-5 md:px-10">
          <Logo />
          <TextLink to="/" className="inline-flex min-h-11 items-center text-sm text-soft">
            Back to site
          </TextLink>
        </header>
        <main
          id="main"
          tabIndex={-1}
          className="flex flex-1 flex-col px-5 pt-6 pb-8 outline-none md:px-10 md:pt-10 lg:pt-[max(1.5rem,calc(12vh-3rem))]"
        >
          <div className="mx-auto w-full max-w-sm">
            <noscript>
              <p className="mb-8 rounded-md border border-possible bg-possible-wash px-4 py-3">
                This page needs JavaScript. Turn it on in your browser and reload.
              </p>
            </noscript>
            <Outlet />
          </div>
        </main>
      </div>
      <aside className="hidden flex-col justify-center border-line bg-sunken max-lg:border-t md:flex md:p-10 lg:sticky lg:top-0 lg:h-dvh lg:border-l lg:px-12 xl:px-20">
        <div className="max-lg:mx-auto max-lg:w-full max-lg:max-w-xl">
          {pathname.startsWith("/register") ? <WhatYouGet /> : <Specimen />}
        </div>
      </aside>
    </div>
  );
}
