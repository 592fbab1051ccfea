import Activity from "lucide-react/icons/activity";
import BookOpen from "lucide-react/icons/book-open";
import ChartColumn from "lucide-react/icons/chart-column";
import KeyRound from "lucide-react/icons/key-round";
import ListChecks from "lucide-react/icons/list-checks";
import Phone from "lucide-react/icons/phone";
import Settings from "lucide-react/icons/settings";
import ShieldCheck from "lucide-react/icons/shield-check";
import Wallet from "lucide-react/icons/wallet";

/** The pages that the search opens, also for these words; in this order, the navigation lists those that are sections. */
export const PAGES = [
  { to: "/dashboard", title: "API Keys", icon: KeyRound, words: "revoke roll", isSection: true },
  { to: "/dashboard#try", title: "Try it", icon: Phone, words: "verify a number" },
  { to: "/dashboard/bulk", title: "Bulk verify", icon: ListChecks, words: "list csv excel", isSection: true },
  { to: "/dashboard/activity", title: "Activity", icon: Activity, words: "calls errors log", isSection: true },
  { to: "/dashboard/reports", title: "Reports", icon: ChartColumn, words: "usage chart csv", isSection: true },
  {
    to: "/dashboard/settings",
    title: "Settings",
    icon: Settings,
    words: "details name email export delete account",
    isSection: true,
  },
  {
    to: "/dashboard/settings/subscription",
    title: "Subscription",
    icon: Wallet,
    words: "trial quota plan pro billing upgrade price",
  },
  {
    to: "/dashboard/settings/security",
    title: "Security",
    icon: ShieldCheck,
    words: "password two-factor authentication passkey sessions",
  },
  { to: "/docs/introduction", title: "Documentation", icon: BookOpen, words: "docs help" },
];
