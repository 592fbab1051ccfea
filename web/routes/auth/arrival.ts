import * as v from "valibot";

/** Stands for the site while an address is taken apart; only paths are ever read from it. */
const SITE = "https://site.invalid";
const AFTER_LOGIN = "/dashboard";

const From = v.object({
  from: v.object({
    pathname: v.string(),
    search: v.optional(v.string(), ""),
    hash: v.optional(v.string(), ""),
  }),
});

/** `done` after a success, `ended` after a session that expired; `afterLogin` is what the page after the login says. */
const Notice = v.object({
  notice: v.string(),
  kind: v.optional(v.picklist(["done", "ended"]), "done"),
  afterLogin: v.optional(v.string()),
});

/**
 * The page of this site to go to after signing in: the one that sent the visitor here, else the dashboard.
 * @param state of the login page's location; the dashboard puts its own location there as `from`
 */
export function returnPath(state: unknown): string {
  const parsed = v.safeParse(From, state);
  if (!parsed.success) return AFTER_LOGIN;
  const { pathname, search, hash } = parsed.output.from;
  const url = URL.parse(`${pathname}${search}${hash}`, SITE);
  // A path that begins with two slashes names another host wherever it is used next.
  if (url === null || url.origin !== SITE || url.pathname.startsWith("//")) return AFTER_LOGIN;
  if (/^\/login\/?$/.test(url.pathname)) return AFTER_LOGIN;
  return url.pathname + url.search + url.hash;
}

/** What the page that led here wants this one to say. */
export function noticeIn(state: unknown): v.InferOutput<typeof Notice> | null {
  const parsed = v.safeParse(Notice, state);
  return parsed.success ? parsed.output : null;
}
