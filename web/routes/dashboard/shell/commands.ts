import { useQuery } from "@tanstack/react-query";
import Activity from "lucide-react/icons/activity";
import BookOpen from "lucide-react/icons/book-open";
import ChartColumn from "lucide-react/icons/chart-column";
import KeyRound from "lucide-react/icons/key-round";
import ListChecks from "lucide-react/icons/list-checks";
import LogOut from "lucide-react/icons/log-out";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Phone from "lucide-react/icons/phone";
import Plus from "lucide-react/icons/plus";
import SearchIcon from "lucide-react/icons/search";
import Settings from "lucide-react/icons/settings";
import ShieldCheck from "lucide-react/icons/shield-check";
import Sun from "lucide-react/icons/sun";
import ToggleRight from "lucide-react/icons/toggle-right";
import Wallet from "lucide-react/icons/wallet";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import type { ListedKey } from "../../../../contract/keys.ts";
import type { Command } from "../../../components/search/search-dialog.tsx";
import { chooseMode, useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { logOut } from "../../../lib/session/end-session.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";

const PAGES = [
  ["/dashboard", "API Keys", KeyRound, "revoke roll"],
  ["/dashboard#try", "Try it", Phone, "verify a number"],
  ["/dashboard/bulk", "Bulk verify", ListChecks, "list csv excel"],
  ["/dashboard/activity", "Activity", Activity, "calls errors log"],
  ["/dashboard/reports", "Reports", ChartColumn, "usage chart csv"],
  ["/dashboard/settings", "Settings", Settings, "details name email export delete account"],
  ["/dashboard/settings/subscription", "Subscription", Wallet, "trial quota plan pro billing upgrade price"],
  ["/dashboard/settings/security", "Security", ShieldCheck, "password two-factor authentication passkey sessions"],
  ["/docs/introduction", "Documentation", BookOpen, "docs help"],
] as const;

const THEMES = [
  ["light", Sun],
  ["dark", Moon],
  ["system", Monitor],
] as const;

/** A phone number as people type it. */
const PHONE_NUMBER = /^\+?(?:[\s().-]*\d){7,15}$/;

/** Whether each word of a query begins a word of the text. */
function matches(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/**
 * For a query: actions, the dashboard's pages, and the account's keys; for a request ID only its call, and for a phone
 * number only Try it. Without a query, all of the former.
 */
export function useCommands(): (query: string) => readonly Command[] {
  const navigate = useNavigate();
  const { data } = useQuery(queries.keys);
  const keys = data?.keys;
  const shownMode = useMode();
  const shownTheme = useTheme();
  return useCallback(
    (query) => {
      const open = (path: string) => () => void navigate(path);
      if (/^req_\w+$/.test(query)) {
        const run = open(`/dashboard/activity?request=${query}`);
        return [{ id: "request", title: `Find ${query}`, group: "Actions", icon: SearchIcon, run }];
      }
      if (PHONE_NUMBER.test(query)) {
        const run = () => void navigate("/dashboard#try", { state: { tryNumber: query } });
        return [{ id: "number", title: `Verify ${query} in Try it`, group: "Actions", icon: Phone, run }];
      }
      const openKey = ({ mode }: ListedKey) => {
        chooseMode(mode);
        void navigate("/dashboard");
      };
      const actions: Omit<Command, "group">[] = [
        ...(["test", "live"] as const).map((mode) => ({
          id: `generate-${mode}`,
          title: `Generate a ${mode} key`,
          icon: Plus,
          words: "new create api",
          run: () => {
            chooseMode(mode);
            void navigate("/dashboard", { state: { generateKey: true } });
          },
        })),
        ...(["test", "live"] as const)
          .filter((mode) => mode !== shownMode)
          .map((mode) => ({
            id: mode,
            title: `Switch to ${mode} mode`,
            icon: ToggleRight,
            run: () => chooseMode(mode),
          })),
        ...THEMES.filter(([theme]) => theme !== shownTheme).map(([theme, icon]) => ({
          id: theme,
          title: `Use the ${theme} theme`,
          icon,
          run: () => chooseTheme(theme),
        })),
        { id: "log-out", title: "Log out", icon: LogOut, run: logOut },
      ];
      const commands: Command[] = [
        ...actions.map((action) => ({ ...action, group: "Actions" })),
        ...PAGES.map(([path, title, icon, words]) => ({
          id: path,
          title,
          group: "Pages",
          icon,
          words,
          run: open(path),
        })),
        ...(keys ?? []).map((key) => ({
          id: key.id,
          title: key.name,
          group: "Keys",
          icon: KeyRound,
          detail: `${key.mode} key …${key.hint}`,
          words: key.hint,
          run: () => openKey(key),
        })),
      ];
      return query === "" ? commands : commands.filter(({ title, words = "" }) => matches(`${title} ${words}`, query));
    },
    [navigate, keys, shownMode, shownTheme],
  );
}
