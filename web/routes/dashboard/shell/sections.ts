import { ChartColumn, KeyRound, ListChecks, Settings } from "lucide-react";

/** The dashboard's pages, in the order of the navigation. */
export const SECTIONS = [
  { to: "/dashboard", label: "API Keys", icon: KeyRound },
  { to: "/dashboard/bulk", label: "Bulk check", icon: ListChecks },
  { to: "/dashboard/reports", label: "Reports", icon: ChartColumn },
  { to: "/dashboard/settings", label: "Settings", icon: Settings },
] as const;
