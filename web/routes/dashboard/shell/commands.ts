import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useNavigate } from "react-router";
import type { ListedKey } from "../../../../contract/keys.ts";
import type { Command } from "../../../components/search/search-dialog.tsx";
import { chooseMode, useMode } from "../../../lib/mode.ts";
import { queries } from "../../../lib/queries.ts";
import { logOut } from "../../../lib/session/end-session.ts";
import { chooseTheme, useTheme } from "../../../lib/theme.ts";

const PAGES = [
  ["/dashboard", "API Keys", "generate revoke roll"],
  ["/dashboard#try", "Try it", "verify a number"],
  ["/dashboard/bulk", "Bulk verify", "list csv excel"],
  ["/dashboard/activity", "Activity", "calls errors log"],
  ["/dashboard/reports", "Reports", "usage chart csv"],
  ["/dashboard/settings", "Settings", "details name email export delete account"],
  ["/dashboard/settings/subscription", "Subscription", "trial quota plan pro"],
  ["/dashboard/settings/security", "Security", "password two-factor authentication passkey sessions"],
  ["/docs/introduction", "Documentation", "docs help"],
] as const;

/** Whether each word of a query begins a word of the text. */
function matches(text: string, query: string): boolean {
  const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)));
}

/** The dashboard's pages, keys, and switches to another mode or theme, and the call with a request ID, for a query; without one, all but the call. */
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
        return [{ id: "request", title: `Find ${query}`, kind: "Activity", run }];
      }
      const openKey = ({ mode }: ListedKey) => {
        chooseMode(mode);
        void navigate("/dashboard");
      };
      const commands: Command[] = [
        ...PAGES.map(([path, title, words]) => ({ id: path, title, kind: "Page", words, run: open(path) })),
        ...(keys ?? []).map((key) => ({
          id: key.id,
          title: key.name,
          kind: `${key.mode} key …${key.hint}`,
          words: key.hint,
          run: () => openKey(key),
        })),
        ...(["test", "live"] as const)
          .filter((mode) => mode !== shownMode)
          .map((mode) => ({
            id: mode,
            title: `Switch to ${mode} mode`,
            kind: "Mode",
            run: () => chooseMode(mode),
          })),
        ...(["light", "dark", "system"] as const)
          .filter((theme) => theme !== shownTheme)
          .map((theme) => ({
            id: theme,
            title: `Use the ${theme} theme`,
            kind: "Theme",
            run: () => chooseTheme(theme),
          })),
        { id: "log-out", title: "Log out", kind: "Session", run: logOut },
      ];
      return query === "" ? commands : commands.filter(({ title, words = "" }) => matches(`${title} ${words}`, query));
    },
    [navigate, keys, shownMode, shownTheme],
  );
}
