import { Link } from "react-router";
import { ButtonLink } from "../ui/button.tsx";
import { ANCHORS } from "./links.ts";
import { MenuDisclosure } from "./menu-disclosure.tsx";

const LINK = "block py-3 text-xl font-medium tracking-[-0.02em]";

/** The header's links on small screens. */
export function MobileMenu() {
  return (
    <MenuDisclosure className="md:hidden">
      <ul className="-mt-1 divide-y divide-line">
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
      <div className="mt-5 mb-1 grid grid-cols-2 gap-3">
        <ButtonLink to="/dashboard" variant="secondary">
          Sign In
        </ButtonLink>
        <ButtonLink to="/dashboard">Get Started</ButtonLink>
      </div>
    </MenuDisclosure>
  );
}
