import { Menu, X } from "lucide-react";
import { useRef } from "react";
import { Link } from "react-router";
import { ButtonLink } from "../ui/button.tsx";
import { ANCHORS } from "./links.ts";
import { useDismiss } from "./use-dismiss.ts";

const LINK = "block py-3 text-xl font-medium tracking-[-0.02em]";

/** The header's links on small screens. */
export function MobileMenu() {
  const details = useRef<HTMLDetailsElement>(null);
  useDismiss(details);
  return (
    <details ref={details} className="group md:hidden">
      <summary
        aria-label="Menu"
        className="-mr-2.5 grid size-11 list-none place-items-center rounded-md [&::-webkit-details-marker]:hidden"
      >
        <Menu aria-hidden="true" className="size-5 group-open:hidden" />
        <X aria-hidden="true" className="hidden size-5 group-open:block" />
      </summary>
      <div className="absolute inset-x-0 top-full max-h-[calc(100dvh-4rem)] overflow-y-auto border-y border-line bg-paper shadow-float">
        <div className="page-width animate-appear py-4">
          <ul className="divide-y divide-line">
            {ANCHORS.map(({ to, label }) => (
              <li key={to}>
                <Link to={to} className={LINK}>
                  {label}
                </Link>
              </li>
            ))}
            <li>
              <Link to="/docs/introduction" className={LINK}>
                Docs
              </Link>
            </li>
          </ul>
          <div className="mt-5 mb-2 grid grid-cols-2 gap-3">
            <ButtonLink to="/dashboard" variant="secondary">
              Sign In
            </ButtonLink>
            <ButtonLink to="/dashboard">Get Started</ButtonLink>
          </div>
        </div>
      </div>
    </details>
  );
}
