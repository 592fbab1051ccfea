import { useQuery } from "@tanstack/react-query";
import KeyRound from "lucide-react/icons/key-round";
import LogOut from "lucide-react/icons/log-out";
import Monitor from "lucide-react/icons/monitor";
import Moon from "lucide-react/icons/moon";
import Phone from "lucide-react/icons/phone";
import Plus from "lucide-react/icons/plus";
import SearchIcon from "lucide-react/icons/search";
import Sun from "lucide-react/icons/sun";
import ToggleRight from "lucide-react/icons/toggle-right";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import { KEY_MODES } from "../../../../contract/limits.ts";
import type { Command } from "../../../components/search/search-dialog.tsx";
import { chooseMode, useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { logOut } from "../../../lib/session/end-session.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";
import { PAGES } from "./pages.ts";

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
      if (/^req_\w+$/.test(query)) {
        const run = () => void navigate(`/dashboard/activity?request=${query}`);
        return [{ id: "request", title: `Find ${query}`, group: "Actions", icon: SearchIcon, run }];
      }
      if (PHONE_NUMBER.test(query)) {
        const run = () => void navigate("/dashboard#try", { state: { tryNumber: query } });
        return [{ id: "number", title: `Verify ${query} in Try it`, group: "Actions", icon: Phone, run }];
      }
      const commands: Command[] = [
        ...KEY_MODES.map((mode) => ({
          id: `generate-${mode}`,
          title: `Generate a ${mode} key`,
          group: "Actions",
          icon: Plus,
          words: "new create api",
          run: () => {
            chooseMode(mode);
            void navigate("/dashboard", { state: { generateKey: true } });
          },
        })),
        ...KEY_MODES.filter((mode) => mode !== shownMode).map((mode) => ({
          id: mode,
          title: `Switch to ${mode} mode`,
          group: "Actions",
          icon: ToggleRight,
          run: () => chooseMode(mode),
        })),
        ...THEMES.filter(([theme]) => theme !== shownTheme).map(([theme, icon]) => ({
          id: theme,
          title: `Use the ${theme} theme`,
          group: "Actions",
          icon,
          run: () => chooseTheme(theme),
        })),
        { id: "log-out", title: "Log out", group: "Actions", icon: LogOut, run: logOut },
        ...PAGES.map(({ to, title, icon, words }) => ({
          id: to,
          title,
          group: "Pages",
          icon,
          words,
          run: () => void navigate(to),
        })),
        ...(keys ?? []).map((key) => ({
          id: key.id,
          title: key.name,
          group: "Keys",
          icon: KeyRound,
          detail: `${key.mode} key …${key.hint}`,
          words: key.hint,
          run: () => {
            chooseMode(key.mode);
            void navigate("/dashboard");
          },
        })),
      ];
      return query === "" ? commands : commands.filter(({ title, words = "" }) => matches(`${title} ${words}`, query));
    },
    [navigate, keys, shownMode, shownTheme],
  );
}
