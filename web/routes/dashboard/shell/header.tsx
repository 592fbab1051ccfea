import { LogOut } from "lucide-react";
import { useAccount } from "../../../components/dashboard/account-context.ts";
import { ModeBadge } from "../../../components/dashboard/mode-badge.tsx";
import { Logo } from "../../../components/brand/logo.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { logOut } from "./log-out.ts";
import { NavDrawer } from "./nav-drawer.tsx";

/** Who is here, which side of the account they see, and the way out. */
export function Header() {
  const { name, email } = useAccount();
  return (
    <header className="sticky top-0 z-20 border-b border-line bg-paper">
      <div className="flex min-h-16 items-center gap-2 px-5 sm:gap-4 lg:px-7">
        <div className="lg:hidden">
          <NavDrawer />
        </div>
        <Logo />
        <div className="ml-auto flex min-w-0 items-center gap-2 sm:gap-4">
          <ModeBadge />
          <div className="hidden min-w-0 border-l border-line pl-4 text-right md:block">
            <p className="max-w-60 truncate text-sm font-medium text-ink">{name}</p>
            <p className="label max-w-60 truncate">{email}</p>
          </div>
          <Button
            variant="quiet"
            size="sm"
            aria-label="Log out"
            onClick={logOut}
            className="-mr-2 text-muted hover:text-ink max-sm:size-11 max-sm:px-0"
          >
            <LogOut aria-hidden="true" className="size-4" strokeWidth={1.5} />
            <span className="max-sm:hidden">Log out</span>
          </Button>
        </div>
      </div>
    </header>
  );
}
