import { Outlet } from "react-router";
import { anatomyOf } from "../../components/anatomy/anatomy-of.ts";
import { AnatomyGhost } from "../../components/anatomy/anatomy-ghost.tsx";
import { Anatomy } from "../../components/anatomy/anatomy.tsx";
import { Logo } from "../../components/brand/logo.tsx";
import { SkipLink, TextLink } from "../../components/ui/link.tsx";
import { SPECIMENS } from "../../content/specimens.ts";

const PARTS = anatomyOf(SPECIMENS.BR.result);

/** What the product does, as a drawing. Decorative; beside a failed view, its struck-through form. */
function BrandHalf() {
  return (
    <div
      aria-hidden="true"
      className="hidden border-l border-line bg-sunken lg:flex lg:flex-col lg:justify-center lg:px-12 xl:px-20"
    >
      <p className="label">The anatomy of a number</p>
      <Anatomy parts={PARTS} className="mt-6 group-has-data-failed/auth:hidden" />
      <AnatomyGhost struck className="mt-6 hidden group-has-data-failed/auth:block" />
    </div>
  );
}

/** Layout for login, registration, and their links: one narrow column, and on wide screens the drawing beside it. */
export default function AuthLayout() {
  return (
    <div className="group/auth grid min-h-dvh lg:grid-cols-2">
      <SkipLink />
      <div className="flex min-w-0 flex-col">
        <header className="flex min-h-16 flex-wrap items-center justify-between gap-x-6 px-5 md:px-10">
          <Logo />
          <TextLink to="/" className="inline-flex min-h-11 items-center text-sm text-soft">
            Back to site
          </TextLink>
        </header>
        <main id="main" tabIndex={-1} className="flex flex-1 flex-col px-5 pt-10 pb-6 outline-none md:px-10">
          <div className="mx-auto w-full max-w-sm lg:pt-[5vh]">
            <noscript>
              <p className="mb-8 rounded-md border border-possible bg-possible-wash px-4 py-3">
                This page needs JavaScript. Turn it on in your browser and reload.
              </p>
            </noscript>
            <Outlet />
          </div>
        </main>
      </div>
      <BrandHalf />
    </div>
  );
}
