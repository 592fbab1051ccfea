import ArrowLeft from "lucide-react/icons/arrow-left";
import BookOpen from "lucide-react/icons/book-open";
import LogOut from "lucide-react/icons/log-out";
import Megaphone from "lucide-react/icons/megaphone";
import Menu from "lucide-react/icons/menu";
import X from "lucide-react/icons/x";
import { NavLink, useLocation, useSearchParams } from "react-router";
import { clsx } from "clsx";
import { Dialog } from "@base-ui/react/dialog";
import { use, useEffect, useState } from "react";
import type { ReactNode } from "react";
import type { KeyMode } from "../../../../contract/limits.ts";
import { Logo } from "../../../components/brand/logo.tsx";
import { AccountContext, useAccount } from "../../../components/dashboard/account-context.ts";
import { Search } from "../../../components/search/search.tsx";
import { ThemeChoice } from "../../../components/site/theme-choice.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { SiteLink } from "../../../components/ui/link.tsx";
import { useMode } from "../../../lib/mode.ts";
import { useCommands } from "./commands.ts";
import { PAGES } from "./pages.ts";
import { UsageMeter } from "./usage-meter.tsx";
import { logOut } from "../../../lib/session/end-session.ts";
import { useHasNews } from "../../../components/site/whats-new.ts";

const SECTIONS = PAGES.filter(({ isSection }) => isSection);

const NEWS = "/docs/changelog";
const EXITS = [
  { to: "/docs/introduction", title: "Documentation", icon: BookOpen },
  { to: NEWS, title: "What’s new", icon: Megaphone },
  { to: "/", title: "Back to site", icon: ArrowLeft },
];

const ITEM = clsx(
  "flex min-h-10 items-center gap-3 rounded-md px-3 py-1.5 text-base text-soft pointer-coarse:min-h-11",
  "transition-colors duration-(--duration-quick) hover:bg-sunken hover:text-ink",
  "aria-[current=page]:bg-line/70 aria-[current=page]:font-medium aria-[current=page]:text-ink",
);
const ICON = { "aria-hidden": true, strokeWidth: 1.5, className: "size-4 shrink-0" } as const;

/** The address without a slash at its end. */
export function usePath(): string {
  return useLocation().pathname.replace(/\/+$/, "");
}

/** The mode that the page shows: Bulk verify is always live, and activity lists both. */
function useShownMode(): KeyMode | "both" {
  const path = usePath();
  const mode = useMode();
  const [query] = useSearchParams();
  if (path === "/dashboard/bulk") return "live";
  const isBoth = path === "/dashboard/activity" || (path === "/dashboard/reports" && query.get("mode") === "both");
  return isBoth ? "both" : mode;
}

/** Sections, exits, and the theme. In the side column and the drawer. */
export function SideNav({ onNavigate }: { onNavigate?: () => void }) {
  // Also shown while the account loads, without news.
  const since = use(AccountContext)?.created_at;
  const hasNews = useHasNews(since);
  return (
    <div className="flex min-h-full flex-col gap-8 p-4">
      <nav aria-label="Dashboard">
        <ul className="flex flex-col gap-0.5">
          {SECTIONS.map(({ to, title, icon: Icon }) => (
            <li key={to}>
              <NavLink to={to} end={to === "/dashboard"} onClick={onNavigate} className={ITEM}>
                <Icon {...ICON} />
                {title}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="mt-auto flex flex-col gap-4">
        <ul className="flex flex-col gap-0.5">
          {EXITS.map(({ to, title, icon: Icon }) => (
            <li key={to}>
              <SiteLink to={to} className={ITEM} onClick={onNavigate}>
                <Icon {...ICON} />
                {title}
                {to === NEWS && hasNews && (
                  <span className="ml-auto size-1.5 rounded-full border-3 border-ink">
                    <span className="sr-only">, unread</span>
                  </span>
                )}
              </SiteLink>
            </li>
          ))}
        </ul>
        <div className="px-3 pb-1">
          <ThemeChoice />
        </div>
      </div>
    </div>
  );
}

const MODE_NAMES = { test: "Test mode", live: "Live mode", both: "Both modes" };

const FADE = "transition-opacity duration-(--duration-quick) data-ending-style:opacity-0 data-starting-style:opacity-0";

/** The navigation on small screens: a side dialog. Escape, a click outside, and every link close it. */
function NavDrawer() {
  const { pathname } = useLocation();
  /** The page it was opened on: on any other, back and forward included, it is closed. */
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const setOpen = (open: boolean) => setOpenedOn(open ? pathname : null);
  const { name, email } = useAccount();

  // Wide screens show the navigation beside the page.
  useEffect(() => {
    const wide = window.matchMedia("(width >= 64rem)");
    const close = () => setOpenedOn(null);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, []);

  return (
    <Dialog.Root open={openedOn === pathname} onOpenChange={setOpen}>
      <Dialog.Trigger render={<IconButton label="Open navigation" size="sm" className="-ml-2 size-11!" />}>
        <Menu aria-hidden="true" className="size-5" strokeWidth={1.5} />
      </Dialog.Trigger>
      <Dialog.Portal>
        <Dialog.Backdrop className={clsx("fixed inset-0 z-40 bg-scrim", FADE)} />
        <Dialog.Popup
          className={clsx(
            "fixed inset-y-0 left-0 z-50 flex w-72 max-w-[calc(100vw-3rem)] flex-col overflow-y-auto overscroll-contain",
            "border-r border-line bg-paper text-ink shadow-float outline-none transition-[translate] duration-(--duration-calm)",
            "ease-out data-ending-style:-translate-x-full data-starting-style:-translate-x-full",
          )}
        >
          <div className="flex items-start justify-between gap-3 border-b border-line py-3 pr-2 pl-7">
            <div className="min-w-0 py-1">
              <Dialog.Title className="sr-only">Navigation</Dialog.Title>
              <p className="truncate font-medium">{name}</p>
              <p className="label truncate">{email}</p>
            </div>
            <Dialog.Close render={<IconButton label="Close navigation" size="sm" className="size-11! text-muted" />}>
              <X aria-hidden="true" className="size-5" strokeWidth={1.5} />
            </Dialog.Close>
          </div>
          <div className="flex-1">
            <SideNav onNavigate={() => setOpenedOn(null)} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** The account, its quota and mode, and the way out. Below them, what has to stay in sight. */
export function Header({ children }: { children: ReactNode }) {
  const mode = useShownMode();
  const { name, email } = useAccount();
  const commandsFor = useCommands();
  return (
    <header className="@container sticky top-0 z-20 border-b border-line bg-paper">
      <div className="flex flex-wrap items-center gap-x-2 px-5 @[40rem]:flex-nowrap @[40rem]:gap-x-4 lg:px-7">
        <div className="mr-auto flex h-16 items-center gap-x-2 sm:gap-x-4">
          <div className="lg:hidden">
            <NavDrawer />
          </div>
          <Logo />
        </div>
        {/* On a phone a second line, as high with either of them. */}
        <div className="flex items-center gap-4 @max-[40rem]:order-last @max-[40rem]:-mx-5 @max-[40rem]:min-h-10 @max-[40rem]:basis-[calc(100%+2.5rem)] @max-[40rem]:border-t @max-[40rem]:border-line @max-[40rem]:px-5">
          <UsageMeter isTest={mode === "test"} className="@max-[40rem]:flex-1" />
          <Badge
            tone={mode === "both" ? "neutral" : mode}
            className={clsx("@max-[40rem]:ml-auto", mode === "both" && "max-[22rem]:hidden")}
          >
            {MODE_NAMES[mode]}
          </Badge>
        </div>
        {/* After what differs between pages, so that it keeps its place. */}
        <Search
          place="dashboard"
          label="Search or jump to"
          placeholder="Page, key, phone number, or docs"
          commandsFor={commandsFor}
        />
        <div className="hidden min-w-0 border-l border-line pl-4 text-right @5xl:block">
          <p className="max-w-60 truncate text-sm @min-[76rem]:max-w-96 font-medium text-ink">{name}</p>
          <p className="label max-w-60 truncate @min-[76rem]:max-w-96">{email}</p>
        </div>
        <Button
          variant="quiet"
          size="sm"
          aria-label="Log out"
          onClick={logOut}
          className="-mr-2 text-muted hover:text-ink @max-3xl:size-11 @max-3xl:px-0"
        >
          <LogOut aria-hidden="true" className="size-4 @max-3xl:size-5" strokeWidth={1.5} />
          <span className="@max-3xl:hidden">Log out</span>
        </Button>
      </div>
      {children}
    </header>
  );
}
