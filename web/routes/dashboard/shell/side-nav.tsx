import { ChartColumn, KeyRound, ListChecks, Settings, ArrowLeft, BookOpen } from "lucide-react";
import { NavLink } from "react-router";
import { clsx } from "clsx";
import { ModeSwitch } from "../../../components/dashboard/mode-switch.tsx";
import { ThemeChoice } from "../../../components/site/theme-choice.tsx";
import { SiteLink } from "../../../components/ui/link.tsx";

/** The dashboard's pages, in the order of the navigation. */
const SECTIONS = [
  { to: "/dashboard", label: "API Keys", icon: KeyRound },
  { to: "/dashboard/bulk", label: "Bulk check", icon: ListChecks },
  { to: "/dashboard/reports", label: "Reports", icon: ChartColumn },
  { to: "/dashboard/settings", label: "Settings", icon: Settings },
] as const;

const ITEM = clsx(
  "flex min-h-10 items-center gap-3 rounded-md px-3 py-1.5 text-base text-soft pointer-coarse:min-h-11",
  "transition-colors duration-(--duration-quick) hover:bg-sunken hover:text-ink",
  "aria-[current=page]:bg-sunken aria-[current=page]:font-medium aria-[current=page]:text-ink",
);
const ICON = { "aria-hidden": true, strokeWidth: 1.5, className: "size-4 shrink-0" } as const;

/** Sections, ways out, and what the dashboard looks like. In the column at the side and in the drawer. */
export function SideNav({ onNavigate }: { onNavigate?: () => void }) {
  return (
    <div className="flex min-h-full flex-col gap-8 p-4">
      <nav aria-label="Dashboard">
        <ul className="flex flex-col gap-0.5">
          {SECTIONS.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <NavLink to={to} end={to === "/dashboard"} onClick={onNavigate} className={ITEM}>
                <Icon {...ICON} />
                {label}
              </NavLink>
            </li>
          ))}
        </ul>
      </nav>
      <div className="px-3 xl:hidden">
        <p className="label mb-2">Keys and figures of</p>
        <ModeSwitch className="w-full" />
      </div>
      <div className="mt-auto flex flex-col gap-4">
        <ul className="flex flex-col gap-0.5">
          <li>
            <SiteLink to="/docs/introduction" className={ITEM} onClick={onNavigate}>
              <BookOpen {...ICON} />
              Documentation
            </SiteLink>
          </li>
          <li>
            <SiteLink to="/" className={ITEM} onClick={onNavigate}>
              <ArrowLeft {...ICON} />
              Back to site
            </SiteLink>
          </li>
        </ul>
        <div className="px-3 pb-1">
          <ThemeChoice />
        </div>
      </div>
    </div>
  );
}
