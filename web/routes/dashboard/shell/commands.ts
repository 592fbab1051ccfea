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
  ["/dashboard", "API Keys", "revoke roll"],
  ["/dashboard#try", "Try it", "verify a number"],
  ["/dashboard/bulk", "Bulk verify", "list csv excel"],
  ["/dashboard/activity", "Activity", "calls errors log"],
  ["/dashboard/reports", "Reports", "usage chart csv"],
  ["/dashboard/settings", "Settings", "details name email export delete account"],
  ["/dashboard/settings/subscription", "Subscription", "trial quota plan pro billing upgrade price"],
  ["/dashboard/settings/security", "Security", "password two-factor authentication passkey sessions"],
  ["/docs/introduction", "Documentation", "docs help"],
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
 * For a query: the dashboard's pages, the account's keys, and actions; for a request ID only its call, and for a phone
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
        return [{ id: "request", title: `Find ${query}`, group: "Actions", run }];
      }
      if (PHONE_NUMBER.test(query)) {
        const run = () => void navigate("/dashboard#try", { state: { tryNumber: query } });
        return [{ id: "number", title: `Verify ${query} in Try it`, group: "Actions", run }];
      }
      const openKey = ({ mode }: ListedKey) => {
        chooseMode(mode);
        void navigate("/dashboard");
      };
      const commands: Command[] = [
        ...PAGES.map(([path, title, words]) => ({ id: path, title, group: "Pages", words, run: open(path) })),
        ...(keys ?? []).map((key) => ({
          id: key.id,
          title: key.name,
          group: "Keys",
          detail: `${key.mode} key …${key.hint}`,
          words: key.hint,
          run: () => openKey(key),
        })),
        ...(["test", "live"] as const).map((mode) => ({
          id: `generate-${mode}`,
          title: `Generate a ${mode} key`,
          group: "Actions",
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
            group: "Actions",
            run: () => chooseMode(mode),
          })),
        ...(["light", "dark", "system"] as const)
          .filter((theme) => theme !== shownTheme)
          .map((theme) => ({
            id: theme,
            title: `Use the ${theme} theme`,
            group: "Actions",
            run: () => chooseTheme(theme),
          })),
        { id: "log-out", title: "Log out", group: "Actions", run: logOut },
      ];
      return query === "" ? commands : commands.filter(({ title, words = "" }) => matches(`${title} ${words}`, query));
    },
    [navigate, keys, shownMode, shownTheme],
  );
}
