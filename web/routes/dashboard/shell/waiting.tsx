import { Mark } from "../../../components/brand/mark.tsx";
import { Spinner } from "../../../components/ui/spinner.tsx";

/** While it is not known yet who is here; also what the prerendered HTML shows. */
export function Waiting() {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div aria-busy="true" className="flex flex-col items-center gap-6 text-center">
        <Mark className="w-10" />
        <h1 className="flex items-center gap-2.5 text-base font-normal tracking-normal text-muted">
          <Spinner />
          Checking your session
        </h1>
        <noscript>
          <p className="max-w-[26rem] text-soft">
            The dashboard needs JavaScript, which is turned off in this browser.
          </p>
        </noscript>
      </div>
    </main>
  );
}
