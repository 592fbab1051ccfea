import { Logo } from "../../../components/brand/logo.tsx";
import { PageHeading } from "../../../components/dashboard/page-heading.tsx";
import { Spinner } from "../../../components/ui/button.tsx";
import { PageSkeleton } from "../../../components/dashboard/page-skeleton.tsx";
import { Columns } from "./frame.tsx";
import { usePath } from "./navigation.tsx";

/** A page while the session is checked; also what the prerendered HTML shows. */
export function Waiting() {
  return (
    <Columns
      header={
        <header className="border-b border-line">
          <div className="flex min-h-16 items-center gap-2 px-5 sm:gap-4 lg:px-7">
            {/* In place of the menu's button. */}
            <div className="-ml-2 size-11 lg:hidden" />
            <Logo />
            <p className="ml-auto flex items-center gap-2.5 text-sm text-muted animate-appear [animation-delay:400ms]">
              <span className="animate-appear [animation-delay:1s] max-sm:sr-only">Checking your session</span>
              <Spinner />
            </p>
          </div>
          {/* In place of the quota. */}
          <div className="h-8.25 border-t border-line sm:hidden" />
        </header>
      }
    >
      <div aria-busy="true">
        <PageHeading />
        <noscript>
          <p className="mb-8 text-soft">Turn on JavaScript to use the dashboard.</p>
        </noscript>
        <PageSkeleton section={usePath().split("/")[2] ?? ""} />
      </div>
    </Columns>
  );
}
